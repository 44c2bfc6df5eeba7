// Tells that the thread of this page has moved on. Without scripts nothing is missing but this notice.
const notice = document.getElementById('changed');
const { thread, head } = notice.dataset;
const events = new EventSource(`/threads/${thread}/events?after=${head}`);
const changed = ({ lastEventId }) => {
  if (Number(lastEventId) <= Number(head)) return;
  notice.hidden = false;
  events.close();
};
events.addEventListener('message', changed);
