// Loaded into Next's process before Next, where metrics are on: answers its parent with what the process uses.
const { collectDefaultMetrics, register } = require('prom-client');

register.setDefaultLabels({ process: 'next' });
collectDefaultMetrics();
process.on('message', async (message) => {
  if (message === 'metrics') process.send({ metrics: await register.getMetricsAsJSON() });
});
