import { PushRefused, PushTokenGone } from '../../shared/adapters/push/push.port.ts'
import type { Db } from '../../shared/db/database.ts'
import type { JobPayload } from '../../shared/jobs/define-job.ts'
import type { JobProcessor } from '../../shared/jobs/job-tools.ts'
import { Permanent } from '../../shared/kernel/permanent.ts'
import type { pushNotification } from '../../shared/notifications/notifications.jobs.ts'
import { tellers } from './tellers.ts'

/** A phone shows no more of it, and the whole push must stay below 4 KB. */
const BODY_LENGTH = 500

/** Pushes what happened to one device, as it stands now. A token that the service says is gone is dropped. */
export const pushToDevice: JobProcessor<typeof pushNotification> = async (payload, tools, run) => {
  const telling = await tellers[payload.kind](tools, payload)
  if (!telling) return
  const token = await findToken(tools.database.db, payload)
  if (!token) return
  const { title, body, data } = telling.message
  try {
    await tools.push.send({
      token,
      title,
      body: body.length > BODY_LENGTH ? `${body.slice(0, BODY_LENGTH - 1)}…`.toWellFormed() : body,
      data: Object.fromEntries([['kind', payload.kind], ...Object.entries(data).map(([key, id]) => [key, String(id)])]),
      key: run.id,
    })
  } catch (error) {
    if (error instanceof PushRefused) throw new Permanent(`push refused: ${error.reason}`)
    if (!(error instanceof PushTokenGone)) throw error
    await tools.transaction((tx) => tx.db.deleteFrom('push_device').where('token', '=', token).execute())
  }
}

/** The device's token, while it is still this member's: another account may have registered it since. */
async function findToken(
  db: Db,
  { organizationId, orgUserId, pushDeviceId }: JobPayload<typeof pushNotification>,
): Promise<string | null> {
  const row = await db
    .selectFrom('push_device')
    .innerJoin('account', 'account.id', 'push_device.account_id')
    .innerJoin('membership', 'membership.account_id', 'account.id')
    .select('push_device.token')
    .where('push_device.id', '=', pushDeviceId)
    .where('membership.organization_id', '=', organizationId)
    .where('membership.id', '=', orgUserId)
    .where('membership.removed_at', 'is', null)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.token ?? null
}
