import type { PushOutcome } from '../../shared/adapters/push/push.port.ts'
import type { Db } from '../../shared/db/database.ts'
import type { Tx } from '../../shared/db/transaction.ts'
import type { JobPayload } from '../../shared/jobs/define-job.ts'
import type { JobProcessor } from '../../shared/jobs/job-tools.ts'
import { findProgress, noteProgress } from '../../shared/jobs/progress.ts'
import { Permanent } from '../../shared/kernel/permanent.ts'
import type { pushNotification } from '../../shared/notifications/notifications.jobs.ts'
import { pushOf } from '../../shared/notifications/push.rules.ts'
import { type Device, findRecipients } from '../../shared/notifications/recipients.queries.ts'
import type { Concerned } from '../../shared/notifications/tell-concerned.ts'
import { tellers } from './tellers.ts'

/**
 * Pushes what happened to devices, as it stands now. Who has it is written down, so that another run reaches only those
 * who have not; a token that the service says is gone is dropped.
 */
export const pushToDevices: JobProcessor<typeof pushNotification> = async (payload, tools, run) => {
  const done = await findProgress(tools.database.db, run.id)
  if (done === null) return
  const telling = await tellers[payload.kind](tools, payload)
  if (!telling) return
  const devices = await findDevices(tools.database.db, payload, await telling.concerned(), done)
  if (devices.length === 0) return
  const push = { ...pushOf(payload.kind, telling.message), key: run.id }
  const outcomes = await tools.push.multicast(
    push,
    devices.map(({ token }) => token),
  )
  const inState = (state: PushOutcome['state']) => devices.filter((_, index) => outcomes[index]?.state === state)
  const gone = inState('gone')
  await tools.transaction(async (tx) => {
    await dropDevices(tx, gone)
    await noteProgress(tx, run.id, [...done, ...[...inState('taken'), ...gone].map(({ id }) => id)])
  })
  failFor(outcomes)
}

/** What some devices did not get is tried again; what no retry heals stays on the dashboard, to be looked at. */
function failFor(outcomes: readonly PushOutcome[]): void {
  const failed = outcomes.flatMap((outcome) => ('reason' in outcome ? [outcome] : []))
  const reasons = [...new Set(failed.map(({ reason }) => reason))].join(', ')
  const summary = `${failed.length} of ${outcomes.length} devices not reached (${reasons})`
  if (failed.some(({ state }) => state === 'unavailable')) throw new Error(summary)
  if (failed.length > 0) throw new Permanent(summary)
}

/**
 * The devices that are still to be reached: of members whom it still concerns and who still want it, and while they are
 * theirs: another account may have registered one since.
 */
async function findDevices(
  db: Db,
  payload: JobPayload<typeof pushNotification>,
  concerned: Concerned,
  done: readonly number[],
): Promise<Device[]> {
  const left = payload.to.filter(({ pushDeviceId }) => !done.includes(pushDeviceId))
  const owners = new Map(left.map(({ orgUserId, pushDeviceId }) => [pushDeviceId, orgUserId]))
  const members = new Set(owners.values()).intersection(new Set(concerned.orgUserIds))
  const recipients = await findRecipients(db, { ...payload, causedBy: null }, [...members])
  return recipients
    .filter(({ push }) => push)
    .flatMap(({ orgUserId, devices }) => devices.filter(({ id }) => owners.get(id) === orgUserId))
}

/** Drops tokens, unless the device has registered another one since. */
async function dropDevices(tx: Tx, gone: readonly Device[]): Promise<void> {
  if (gone.length === 0) return
  await tx.db
    .deleteFrom('push_device')
    .where(
      'token',
      'in',
      gone.map(({ token }) => token),
    )
    .execute()
}
