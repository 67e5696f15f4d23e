import { notify } from '../../communication/notifications/notify.ts'
import { findOrAddGuest } from '../../identity/members/find-or-add-guest.ts'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'

/**
 * Confirms a guest's request with the mailed token: the request becomes pending, and its sender a guest of the school.
 * Concurrent uses are resolved by the database: one wins. An aircraft whose hold has ended stays a preference.
 * @throws Invalid when the token is unknown, used or expired, and when the requested time has passed.
 */
export async function confirmRequest(tx: Tx, mailTokens: MailTokens, token: string): Promise<{ id: number }> {
  const request = await tx.db
    .updateTable('booking_request')
    .set({ status: 'pending', confirmed_at: tx.now, updated_at: tx.now })
    .where('token_hash', '=', mailTokens.hashOf(token))
    .where('status', '=', 'awaiting_confirmation')
    .where('token_expires_at', '>', tx.now)
    .returning(['id', 'organization_id', 'guest_name', 'guest_email', 'guest_phone', 'starts_at'])
    .executeTakeFirst()
  if (!request) throw new Invalid('This link has expired or was used already. Please send a new request.')
  if (request.starts_at <= tx.now) throw new Invalid('The time that you asked for has passed. Please choose another.')
  const { id, organization_id: organizationId } = request
  const guestId = await findOrAddGuest(tx, organizationId, {
    name: request.guest_name ?? '',
    email: request.guest_email,
    phone: request.guest_phone,
  })
  await tx.db.updateTable('booking_request').set({ guest_id: guestId }).where('id', '=', id).execute()
  await tx.db
    .insertInto('booking_request_seat')
    .values({
      organization_id: organizationId,
      booking_request_id: id,
      side: 'guests',
      position: 0,
      guest_id: guestId,
    })
    .execute()
  notify(tx, { organizationId, kind: 'booking_request_submitted', subjectId: id, causedBy: null })
  return { id }
}
