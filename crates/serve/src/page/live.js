// Tells that the thread of this page has moved on. Without scripts nothing is missing but this notice.
const notice = document.getElementById('changed');
const { thread, head } = notice.dataset;
let events;
// A browser opens few connections to a site: only the page that is looked at has one.
const watch = () => {
  events?.close();
  if (document.hidden || !notice.hidden) return;
  events = new EventSource(`/threads/${thread}/events?after=${head}`);
  events.addEventListener('message', ({ lastEventId }) => {
    if (Number(lastEventId) <= Number(head)) return;
    notice.hidden = false;
    events.close();
  });
};
document.addEventListener('visibilitychange', watch);
watch();
