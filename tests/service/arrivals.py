"""Sends tickets to the service at random moments (a Poisson process), as many a second as asked for, and prints the 99th percentile of
their latencies in milliseconds, counted from the moment at which each was due, so that a slow answer does not hide those behind it.

A load generator that lets each connection send its share of a second at once and then waits measures its own bursts: with eight
connections the last of eight tickets waits for the other seven, however low the load.
"""

import asyncio
import random
import sys
import time
from urllib.parse import urlsplit

CONNECTIONS = 64


async def answered(reader):
    """Reads one response of HTTP/1.1, and gives its status."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
    await reader.readexactly(length)
    return int(head.split(b" ", 2)[1])


async def measured(url, token, ticket, seconds, rate):
    """Latencies in seconds."""
    address = urlsplit(url)
    body = ticket.encode()
    request = (f"POST /v1/judge HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {token}\r\n"
               f"Content-Type: text/markdown\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
    free = asyncio.Queue()
    for _ in range(CONNECTIONS):
        free.put_nowait(await asyncio.open_connection(address.hostname, address.port))
    late = []

    async def send(due):
        connection = await free.get()
        connection[1].write(request)
        status = await answered(connection[0])
        assert status == 200, f"status {status}"
        late.append(time.perf_counter() - due)
        free.put_nowait(connection)

    drawn = random.Random(1)
    tasks = []
    due = time.perf_counter()
    end = due + seconds
    while due < end:
        due += drawn.expovariate(rate)
        # A timer of the event loop would be up to a millisecond late.
        while time.perf_counter() < due:
            await asyncio.sleep(0)
        tasks.append(asyncio.create_task(send(due)))
    await asyncio.gather(*tasks)
    return sorted(late)


service, secret, seconds, rate = sys.argv[1:5]
latencies = asyncio.run(measured(service, secret, sys.stdin.read(), float(seconds), float(rate)))
print(f"{latencies[int(len(latencies) * .99)] * 1000:.2f}")
