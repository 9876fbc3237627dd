/** Sends requests over HTTP; each client keeps its connection. */
import autocannon, { type Client } from 'autocannon';
import { createJobs, toHttp } from './jobs';
import { obeyOrders } from './load';

obeyOrders(({ supplies }) => {
  const jobs = createJobs(supplies);
  return async ({ load, clients, seconds, perSecond, origins }, record) => {
    let isOver = false;
    const setupClient = (client: Client) => {
      let job = jobs.next(load);
      const prepare = () => {
        const headers = { 'x-api-key': job.shop.key, ...(job.operation === 'balances' ? {} : json) };
        const request = toHttp(job);
        client.setRequests([{ ...request, path: `/api/v1${request.path}`, headers }]);
      };
      let answer: Buffer | undefined;
      client.on('body', (chunk) => {
        answer = chunk;
      });
      client.on('response', (status, _bytes, ms) => {
        if (isOver) return;
        if (status !== 200) throw new Error(`${job.operation} was answered ${status}: ${answer}`);
        record(ms);
        jobs.done(job);
        job = jobs.next(load);
        prepare();
      });
      prepare();
    };
    const running = origins.map((url) =>
      autocannon({
        url,
        connections: clients / origins.length,
        duration: seconds,
        sampleInt: 50,
        overallRate: perSecond,
        setupClient,
      }),
    );
    const results = await Promise.all(running);
    isOver = true;
    const lost = results.reduce((sum, { errors }) => sum + errors, 0);
    if (lost > 0) throw new Error(`${lost} requests had no answer`);
  };
});

const json = { 'content-type': 'application/json' };
