#!lua flags=allow-oom
-- Extends a lease that is still held. KEYS: lease. ARGV: claim, the lease in milliseconds. Returns 0 if it has run out, and -1 if somebody
-- else holds it.
local held = redis.call('GET', KEYS[1])
if not held then
    return 0
end
if held ~= ARGV[1] then
    return -1
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
