import { z } from 'zod'
import type { GuestRow } from '../../../shared/identity/members/guest.queries.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant } from '../../http/schemas.ts'
import { UndeliveredMail, undeliveredView } from '../../platform/deliveries/undelivered-mail.view.ts'

/** A person without an account who flies or pays. */
export const Guest = z
  .object({
    id: Id,
    name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    undeliveredMail: UndeliveredMail,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Guest' })

export function guestView(row: GuestRow): z.input<typeof Guest> {
  return {
    id: row.id,
    name: row.name,
    email: row.email ?? null,
    phone: row.phone ?? null,
    undeliveredMail: undeliveredView(row.undelivered),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
