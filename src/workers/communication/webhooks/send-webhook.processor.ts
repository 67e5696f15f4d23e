import { admitAttempt } from '../../../shared/communication/webhooks/attempt-limits.ts'
import { finishAttempt, postponeAttempt } from '../../../shared/communication/webhooks/finish-attempt.ts'
import { signingSecrets } from '../../../shared/communication/webhooks/sealed-secret.ts'
import { signedHeaders } from '../../../shared/communication/webhooks/signature.ts'
import { findAttempt } from '../../../shared/communication/webhooks/webhook.queries.ts'
import type { sendWebhook } from '../../../shared/communication/webhooks/webhooks.jobs.ts'
import { done, never } from '../../../shared/platform/adapters/call-result.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'
import { Permanent } from '../../../shared/platform/kernel/errors.ts'

type Attempt = NonNullable<Awaited<ReturnType<typeof findAttempt>>>

/**
 * Makes one attempt of a delivery and writes its result, in the transaction that marks the attempt. The job is then
 * done: the next attempt is another job. When a limit of the host or the URL is reached, the attempt is postponed.
 * Implements docs/decisions/0018.
 */
export const sendWebhookProcessor: JobProcessor<typeof sendWebhook> = async (payload, tools, run) => {
  const attempt = await findAttempt(tools.database.db, payload)
  if (!attempt) return
  const { url, endpoint_id: endpointId } = attempt
  const waitMs = await tools.transaction((tx) => admitAttempt(tx, payload, url))
  if (waitMs !== null) return tools.transaction((tx) => postponeAttempt(tx, { ...payload, endpointId }, waitMs))
  let refused = false
  try {
    await deliver(tools, run, {
      kind: 'webhook',
      subject: `${payload.deliveryId}/${payload.attempt}`,
      async call(_claim, signal) {
        const { body, headers } = signed(tools, payload.organizationId, attempt)
        const answer = await tools.webhooks.post({ url, body, headers, signal })
        const record = (tx: Parameters<typeof finishAttempt>[0]) =>
          finishAttempt(tx, { ...payload, endpointId, url }, answer)
        refused = answer.error !== null
        return answer.error === null ? done(record) : never(answer.error, record)
      },
    })
  } catch (error) {
    // The error and the next attempt are stored on the delivery, so the job does not count as failed.
    if (!(refused && error instanceof Permanent)) throw error
  }
}

function signed({ connectionSecrets, clock, config }: JobTools, organizationId: number, attempt: Attempt) {
  const { event_id: id, endpoint_id, secret, previous_secret, previous_until } = attempt
  const body = attempt.payload ?? ''
  const at = clock()
  const owner = { organizationId, id: endpoint_id }
  const secrets = signingSecrets(
    connectionSecrets,
    { ...owner, secret, previousSecret: previous_secret, previousUntil: previous_until },
    at,
  )
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Flightline-Webhooks (${config.PUBLIC_URL})`,
    ...signedHeaders({ id, at, body }, secrets),
  }
  return { body, headers }
}
