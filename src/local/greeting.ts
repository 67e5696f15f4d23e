import type { Stand } from './stand.ts'

/** What `npm start` prints when everything is up: the pages to open, and who can sign in. */
export function greeting(stand: Stand): string {
  const { config, inboxUrl, simulatorUrl, logDirectory } = stand
  const rows: [string, string][] = [
    ['Interface', config.PUBLIC_URL],
    ['Reference', `${config.PUBLIC_URL}/docs`],
    ['Queues', `${config.PUBLIC_URL}/ops/queues   ${config.OPS_USER} / ${config.OPS_PASSWORD}`],
    ...(inboxUrl ? [['Inbox', inboxUrl] as [string, string]] : []),
    ...(simulatorUrl ? [['Payments', `${simulatorUrl}   (simulated: no money moves)`] as [string, string]] : []),
    ['Logs', logDirectory],
  ]
  const lines = rows.map(([name, text]) => `  ${name.padEnd(12)}${text}`)
  return `\nFlightline is ready. Ctrl-C stops it.\n\n${lines.join('\n')}\n\n`
}
