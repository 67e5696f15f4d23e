import type { PushOutcome } from '../../shared/adapters/push/push.port.ts'
import type { Db } from '../../shared/db/database.ts'
import type { Tx } from '../../shared/db/transaction.ts'
import type { JobPayload } from '../../shared/jobs/define-job.ts'
import type { JobProcessor } from '../../shared/jobs/job-tools.ts'
import { findProgress, noteProgress } from '../../shared/jobs/progress.ts'
import { Permanent } from '../../shared/kernel/permanent.ts'
import type { pushNotification } from '../../shared/notifications/notifications.jobs.ts'
import { pushOf } from '../../shared/notifications/push.rules.ts'
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
  const devices = await findDevices(tools.database.db, payload, done)
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

type Device = { id: number; token: string }

/** The devices that are still to be reached, while they are still these members': another account may have registered one since. */
async function findDevices(
  db: Db,
  { organizationId, to }: JobPayload<typeof pushNotification>,
  done: readonly number[],
): Promise<Device[]> {
  const owners = new Map(to.map(({ orgUserId, pushDeviceId }) => [pushDeviceId, orgUserId]))
  for (const id of done) owners.delete(id)
  if (owners.size === 0) return []
  const rows = await db
    .selectFrom('push_device')
    .innerJoin('account', 'account.id', 'push_device.account_id')
    .innerJoin('membership', 'membership.account_id', 'account.id')
    .select(['push_device.id', 'push_device.token', 'membership.id as orgUserId'])
    .where('push_device.id', 'in', [...owners.keys()])
    .where('membership.organization_id', '=', organizationId)
    .where('membership.removed_at', 'is', null)
    .where('account.deleted_at', 'is', null)
    .orderBy('push_device.id')
    .execute()
  return rows.filter(({ id, orgUserId }) => owners.get(id) === orgUserId)
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
