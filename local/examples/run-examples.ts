import { communicationExamples } from './communication.ts'
import type { ExampleApp } from './example-app.ts'
import { createSender, type ExampleRun, type Sent } from './example-run.ts'
import { fleetExamples } from './fleet.ts'
import { identityExamples } from './identity.ts'
import { moneyExamples } from './money.ts'
import { portabilityExamples } from './portability.ts'
import { readRequests } from './reads.ts'
import { schedulingExamples } from './scheduling.ts'
import { trainingExamples } from './training.ts'
import { waitlistExamples } from './waitlist.ts'

/**
 * Operations without a recorded example: they redirect a browser, need a signature of the payment gateway, transfer the
 * bytes of a file, or are refused in a demo school. The examples of these operations in the OpenAPI document are
 * composed from their schemas.
 */
export const withoutExample: ReadonlySet<string> = new Set([
  'DELETE /integrations/{provider}',
  'GET /integrations/{provider}/begin',
  'GET /integrations/{provider}/callback',
  'GET /uploads/{organizationId}/{name}',
  'POST /booking-requests/{id}/convert',
  'POST /exports/{id}/download',
  'POST /invoices/{id}/refund',
  'POST /reservations/{id}/prepaid/ensure',
  'POST /uploads',
  'POST /webhooks/stripe',
])

/** Sends every example to a fresh demo school: the changes in their order, then each remaining GET. */
export async function runExamples({ app, school, mailedToken }: ExampleApp, operations: string[]): Promise<Sent> {
  const { send, sent } = createSender(app)
  const run: ExampleRun = { send, school, mailedToken }
  await moneyExamples(run)
  await schedulingExamples(run)
  await waitlistExamples(run)
  await fleetExamples(run)
  await trainingExamples(run)
  await communicationExamples(run)
  await identityExamples(run)
  await portabilityExamples(run)
  const requests = readRequests(run)
  for (const operation of operations) {
    if (!operation.startsWith('GET ') || sent.examples.has(operation) || withoutExample.has(operation)) continue
    await send(operation === 'GET /booking-requests/me' ? 'rita' : 'olivia', operation, requests[operation] ?? {})
  }
  return sent
}
