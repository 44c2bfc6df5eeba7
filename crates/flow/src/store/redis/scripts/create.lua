#!lua
-- Begins a log. Without the flag `allow-oom` the server refuses the script as a whole when its memory is full.
-- KEYS: thread, events, lease.
-- ARGV: claim, head, record, snapshot, lease in milliseconds, time to live in milliseconds (0: for ever), then number and text of each event.
local now = redis.call('HMGET', KEYS[1], 'claim', 'record')
if now[2] then
    -- Our own, if the answer to it was lost and the request came again.
    if now[1] == ARGV[1] and now[2] == ARGV[3] then
        return 'OK'
    end
    return 'EXISTS'
end
local held = redis.call('GET', KEYS[3])
if held and held ~= ARGV[1] then
    return 'BUSY'
end
for i = 7, #ARGV, 2 do
    redis.call('XADD', KEYS[2], ARGV[i] .. '-0', 'event', ARGV[i + 1])
end
redis.call('HSET', KEYS[1], 'layout', '1', 'claim', ARGV[1], 'head', ARGV[2], 'record', ARGV[3], 'snapshot', ARGV[4])
if ARGV[6] ~= '0' then
    redis.call('PEXPIRE', KEYS[1], ARGV[6])
    redis.call('PEXPIRE', KEYS[2], ARGV[6])
end
redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[5])
return 'OK'
