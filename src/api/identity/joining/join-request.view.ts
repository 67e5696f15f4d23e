import { z } from 'zod'
import type { JoinRequestRow } from '../../../shared/identity/joining/join-request.queries.ts'
import { joinRequestStatuses } from '../../../shared/identity/organizations.tables.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant, NamedReference } from '../../http/schemas.ts'

/** A request to join a private organization. */
export const JoinRequest = z
  .object({
    id: Id,
    status: z.enum(joinRequestStatuses),
    organization: NamedReference,
    user: z.object({
      id: Id,
      name: z.string(),
      email: z.string(),
      phone: z.string().nullable(),
    }),
    decidedAt: Instant.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'JoinRequest' })

export function joinRequestView(row: JoinRequestRow): z.input<typeof JoinRequest> {
  return {
    id: row.id,
    status: row.status,
    organization: { id: row.organization_id, name: row.organization },
    user: { id: row.account_id, name: row.name, email: row.email, phone: row.phone },
    decidedAt: iso(row.decided_at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
