"""Ends the service under load and counts the requests that were accepted and got no answer.

A request counts as accepted once it was written to a connection on which the service had not announced the end. A connection that the
service never accepted is refused, and does not count.
"""

import http.client
import os
import signal
import sys
import threading
import time
from urllib.parse import urlparse

url, token, server = sys.argv[1:4]
place = urlparse(url)
HEADERS = {"Authorization": f"Bearer {token}", "Content-Type": "text/plain"}
TICKET = "Export orders\n\nShop managers need to export the orders of a month as CSV, at most 10,000 rows, within 10 seconds."
answered, lost, refused = [], [], []


def client():
    """Sends one request after another until the service is gone."""
    while True:
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=30)
        try:
            connection.connect()
        except OSError:
            refused.append(1)
            return
        while True:
            try:
                connection.request("POST", "/v1/judge", TICKET, HEADERS)
                response = connection.getresponse()
                response.read()
            except (OSError, http.client.HTTPException) as error:
                lost.append(repr(error))
                return
            assert response.status == 200, response.status
            answered.append(1)
            if response.getheader("Connection") == "close":
                break


clients = [threading.Thread(target=client) for _ in range(16)]
for one in clients:
    one.start()
time.sleep(3)
os.kill(int(server), signal.SIGTERM)
for one in clients:
    one.join()
print(f"{len(answered)} requests answered, {len(lost)} without an answer, {len(refused)} of {len(clients)} clients refused at the end")
assert not lost, lost[:5]
