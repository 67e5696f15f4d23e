import type { pushNotification } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import { type Device, findRecipients } from '../../../shared/communication/notifications/recipients.queries.ts'
import { pushOf } from '../../../shared/communication/notifications/templates/message.rules.ts'
import { dropPushToken } from '../../../shared/identity/accounts/register-push-device.ts'
import { type CallResult, done, later, never } from '../../../shared/platform/adapters/call-result.ts'
import type { PushOutcome } from '../../../shared/platform/adapters/push/push.port.ts'
import type { JobPayload } from '../../../shared/platform/contracts/define-job.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { deliverBatch } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import type { NotificationDefinitions } from './define-notification.ts'

/**
 * Sends a notification as a push to devices, with the current facts. Each device has its own delivery, so that a retry
 * reaches only the remaining devices. A token that the push service reports as unregistered is deleted.
 */
export const pushNotificationProcessor =
  (definitions: NotificationDefinitions): JobProcessor<typeof pushNotification> =>
  async (payload, tools, run) => {
    const notification = await definitions[payload.kind](tools, payload)
    if (!notification) return
    const devices = await findDevices(tools.database.db, payload, await notification.audience())
    const bySubject = new Map(devices.map((device) => [`${run.id}/${device.id}`, device]))
    const push = { ...pushOf(payload.kind, notification.message), key: run.id }
    await deliverBatch(tools, run, {
      kind: 'push',
      subjects: [...bySubject.keys()],
      async call(claims) {
        const claimed = claims.map(({ subject }) => bySubject.get(subject)!)
        const outcomes = await tools.push.multicast(
          push,
          claimed.map(({ token }) => token),
        )
        return claimed.map((device, index) => resultOf(outcomes[index]!, device))
      },
    })
  }

/**
 * Returns the result of a push: done, given up after a permanent refusal, or retried after a temporary failure. A token
 * that is no longer registered is deleted.
 */
function resultOf(outcome: PushOutcome, device: Device): CallResult {
  switch (outcome.state) {
    case 'taken':
      return done()
    case 'gone':
      return done((tx) => dropPushToken(tx, device.token))
    case 'refused':
      return never(outcome.reason)
    case 'unavailable':
      return later(outcome.reason)
  }
}

/**
 * Returns the devices of members who are still in the audience and have pushes turned on. Leaves out a device that
 * another account has registered in the meantime.
 */
async function findDevices(
  db: Db,
  payload: JobPayload<typeof pushNotification>,
  audience: Audience,
): Promise<Device[]> {
  const owners = new Map(payload.to.map(({ orgUserId, pushDeviceId }) => [pushDeviceId, orgUserId]))
  const members = new Set(owners.values()).intersection(new Set(audience.orgUserIds))
  const recipients = await findRecipients(db, { ...payload, causedBy: null }, [...members])
  return recipients
    .filter(({ push }) => push)
    .flatMap(({ orgUserId, devices }) => devices.filter(({ id }) => owners.get(id) === orgUserId))
}
