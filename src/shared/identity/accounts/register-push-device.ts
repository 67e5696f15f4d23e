import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { selectSurplusDevices } from './account.queries.ts'

/** The most devices per account. Registering one more deletes the device that was registered longest ago. */
export const DEVICES_PER_ACCOUNT = 20

/**
 * Registers a device's push token. A token belongs to the account that registered it last.
 * Implements interface §Notifications, PATCH /notifications.
 */
export async function registerPushDevice(tx: Tx, accountId: number, token: string): Promise<{ id: number }> {
  const device = await tx.db
    .insertInto('push_device')
    .values({ account_id: accountId, token })
    .onConflict((conflict) =>
      conflict.column('token').doUpdateSet({ account_id: accountId, updated_at: sql`clock_timestamp()` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.db
    .deleteFrom('push_device')
    .where('id', 'in', selectSurplusDevices(tx.db, accountId, DEVICES_PER_ACCOUNT))
    .execute()
  return device
}

/**
 * Deletes the push token of an account, so that its device gets no more messages of the account.
 * Implements interface §Authentication rule 3.
 */
export async function removePushDevice(tx: Tx, accountId: number, token: string): Promise<void> {
  await tx.db.deleteFrom('push_device').where('account_id', '=', accountId).where('token', '=', token).execute()
}

/** Deletes a token that the push service reports as unregistered. A newer token of the same device stays. */
export async function dropPushToken(tx: Tx, token: string): Promise<void> {
  await tx.db.deleteFrom('push_device').where('token', '=', token).execute()
}
