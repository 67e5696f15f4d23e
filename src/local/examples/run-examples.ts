import { communicationExamples } from './communication.ts'
import type { ExampleApp } from './example-app.ts'
import { createSender, type ExampleRun, type Sent } from './example-run.ts'
import { fleetExamples } from './fleet.ts'
import { identityExamples } from './identity.ts'
import { moneyExamples } from './money.ts'
import { readRequests } from './reads.ts'
import { schedulingExamples } from './scheduling.ts'
import { trainingExamples } from './training.ts'

/**
 * Operations without an example: they lead to other servers or come from them, end the world of the others, or hold
 * bytes. What the document shows of them is composed from their schemas.
 */
export const withoutExample: ReadonlySet<string> = new Set([
  'DELETE /auth',
  'DELETE /integrations/{provider}',
  'DELETE /organizations',
  'DELETE /orgUsers/{id}',
  'DELETE /users',
  'GET /calendar/{token}.ics',
  'GET /integrations/{provider}/authorize',
  'GET /integrations/{provider}/begin',
  'GET /integrations/{provider}/callback',
  'GET /invoices/{id}/pdf',
  'GET /uploads/{organizationId}/{name}',
  'GET /weather/{station}',
  'POST /auth/verify-email/resend',
  'POST /booking-requests/{id}/convert',
  'POST /integrations/stripe/connect',
  'POST /organizations/join/{orgCode}',
  'POST /organizations/joinRequests/{id}/decline',
  'POST /reservations/{id}/prepaid/ensure',
  'POST /reservations/{id}/prepaid/record-offline',
  'POST /uploads',
  'POST /webhooks/stripe',
])

/** Sends every example to a fresh demo school: what changes something in its order, then each read that is left. */
export async function runExamples({ app, school, mailedToken }: ExampleApp, operations: string[]): Promise<Sent> {
  const { send, sent } = createSender(app)
  const run: ExampleRun = { send, school, mailedToken }
  await moneyExamples(run)
  await schedulingExamples(run)
  await fleetExamples(run)
  await trainingExamples(run)
  await communicationExamples(run)
  await identityExamples(run)
  const requests = readRequests(run)
  for (const operation of operations) {
    if (!operation.startsWith('GET ') || sent.examples.has(operation) || withoutExample.has(operation)) continue
    await send(operation === 'GET /booking-requests/me' ? 'rita' : 'olivia', operation, requests[operation] ?? {})
  }
  return sent
}
