#!lua flags=allow-oom
-- Gives up a lease that is still held. KEYS: lease. ARGV: claim.
if redis.call('GET', KEYS[1]) == ARGV[1] then
    redis.call('DEL', KEYS[1])
end
return 0
