// The embedded server in a process of its own, as far from the client as the real one is. Its parent asks for what the
// process has used.
import { startApiServer } from '@nestjs-operator/apiserver';

const options = JSON.parse(process.argv[2] ?? '{}');
const api = await startApiServer(options);
process.send?.({ url: api.url });
process.on('message', (question) => {
  if (question === 'usage') {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: (user + system) / 1_000, rss: process.memoryUsage().rss });
  } else if (question === 'close') {
    close().catch((error) => {
      throw error;
    });
  }
});

async function close() {
  await api.close();
  process.disconnect();
}
