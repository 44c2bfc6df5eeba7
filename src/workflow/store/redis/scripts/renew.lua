#!lua
-- Extends a lease that is still held. KEYS: lease. ARGV: claim, the lease in milliseconds. Returns 0 if it has passed on.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
