#!lua flags=allow-oom
-- Deletes a thread, if nobody has claimed it since. KEYS: thread, events. ARGV: claim.
local now = redis.call('HGET', KEYS[1], 'claim')
if not now then
    return 'UNKNOWN'
end
if now ~= ARGV[1] then
    return 'STALE'
end
redis.call('DEL', KEYS[1], KEYS[2])
return 'OK'
