// Tells that the thread of this page has moved on. Without scripts nothing is missing but this notice.
const notice = document.getElementById('changed');
const { thread, head } = notice.dataset;
const events = new EventSource(`/v1/threads/${thread}/events?after=${head}`);
const changed = (event) => {
  if (Number(event.lastEventId) <= Number(head)) return;
  notice.hidden = false;
  events.close();
};
events.onmessage = changed;
