#!lua
-- Appends to a log that ends where the writer believes, if nobody has claimed the thread since.
-- KEYS: thread, events, lease.
-- ARGV: claim, head before, head, record, snapshot, lease in milliseconds, time to live in milliseconds (0: for ever), then number and
-- text of each event.
local now = redis.call('HMGET', KEYS[1], 'claim', 'head')
if not now[1] then
    return 'UNKNOWN'
end
if now[1] ~= ARGV[1] then
    return 'STALE'
end
if now[2] ~= ARGV[2] then
    -- Our own, if the answer to it was lost and the request came again: the last event, with its hash, is the same.
    local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
    if now[2] == ARGV[3] and last and last[2][2] == ARGV[#ARGV] then
        return 'OK'
    end
    return 'STALE'
end
for i = 8, #ARGV, 2 do
    redis.call('XADD', KEYS[2], ARGV[i] .. '-0', 'event', ARGV[i + 1])
end
redis.call('HSET', KEYS[1], 'head', ARGV[3], 'record', ARGV[4], 'snapshot', ARGV[5])
for i = 1, 2 do
    if ARGV[7] == '0' then
        redis.call('PERSIST', KEYS[i])
    else
        redis.call('PEXPIRE', KEYS[i], ARGV[7])
    end
end
-- Nobody has claimed it since, so the lease is ours even if it ran out.
redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[6])
return 'OK'
