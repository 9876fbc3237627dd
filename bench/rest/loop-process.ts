/** Sends the same statements directly to the database: the cost without any server. */
import { type BareSettings, openBare } from './bare';
import { createJobs } from './jobs';
import { obeyOrders } from './load';

obeyOrders(({ supplies, bare }) => {
  const jobs = createJobs(supplies);
  const { carry } = openBare(bare as BareSettings);
  return async ({ load, clients, seconds }, record) => {
    const end = performance.now() + seconds * 1_000;
    const client = async () => {
      for (let from = performance.now(); from < end; from = performance.now()) {
        const job = jobs.next(load);
        // A job's input is what its operation takes; nothing checks it here.
        await carry(job.operation, job.shop.key, job.input as never);
        record(performance.now() - from);
        jobs.done(job);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
  };
});
