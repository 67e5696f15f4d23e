import type { DemoSchoolStatus } from '../demo/school/demo-school.ts'
import { DEMO_PASSWORD, signIns } from '../demo/school/people.ts'
import type { LocalStack } from './local-stack.ts'

/** Returns the text that `npm start` prints when everything runs: the pages to open and the demo accounts. */
export function startupBanner(stack: LocalStack, school: DemoSchoolStatus): string {
  const { config, inboxUrl, simulatorUrl, receiverUrl, logDirectory } = stack
  const pages = [
    ['Interface', config.PUBLIC_URL, ''],
    ['Reference', `${config.PUBLIC_URL}/docs`, ''],
    ['Queues', `${config.PUBLIC_URL}/ops/queues`, `user ${config.OPS_USER}, password ${config.OPS_PASSWORD}`],
    ['Inbox', inboxUrl ?? 'the mail server of SMTP_URL', ''],
    ['Payments', simulatorUrl ?? 'the processor of STRIPE_SECRET_KEY', simulatorUrl ? 'simulated: no money moves' : ''],
    ['Webhooks', receiverUrl, 'what the demo school is told'],
    ['Logs', logDirectory, ''],
  ] as const
  const lines = pages.map(([name, address, note]) => `  ${name.padEnd(12)}${address.padEnd(34)} ${note}`.trimEnd())
  return `\nFlightline is ready. Ctrl-C stops it.\n\n${lines.join('\n')}\n${school.there ? schoolText(config.PUBLIC_URL) : ''}\n`
}

function schoolText(publicUrl: string): string {
  const members = signIns.map(({ role, email }) => `  ${role.padEnd(12)}${email}`)
  return `
Bay Flight Academy, a demo school. Everybody's password is ${DEMO_PASSWORD}

${members.join('\n')}

  curl -s ${publicUrl}/auth -H 'content-type: application/json' \\
    -d '{"email":"${signIns[0]?.email}","password":"${DEMO_PASSWORD}"}'
`
}
