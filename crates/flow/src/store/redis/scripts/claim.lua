#!lua flags=allow-oom
-- Takes the lease of a thread, and fences off whoever held it before.
-- KEYS: thread, lease. ARGV: a random word of the claimer, the lease in milliseconds. Returns the claim, or nothing if somebody holds it.
-- With the flag, a server whose memory is full still runs it, so that threads can be pruned.
local held = redis.call('GET', KEYS[2])
if held then
    -- Our own, if the answer to it was lost and the request came again.
    if string.sub(held, -#ARGV[1]) == ARGV[1] then
        return held
    end
    return false
end
local last = redis.call('HGET', KEYS[1], 'claim')
local epoch = last and tonumber(string.match(last, '^%d+')) + 1 or 0
local claim = string.format('%d-%s', epoch, ARGV[1])
redis.call('SET', KEYS[2], claim, 'PX', ARGV[2])
if last then
    redis.call('HSET', KEYS[1], 'claim', claim)
end
return claim
