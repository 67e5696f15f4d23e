import { z } from 'zod'
import type { DeskGrantRow } from '../../../shared/identity/members/desk-grant.queries.ts'
import { deskGrants } from '../../../shared/platform/authz/desk-grants.rules.ts'
import { iso } from '../../http/iso.ts'
import { personView } from '../../http/persons.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'

/** A right at the desk beyond the roles of the member who holds it. */
export const DeskGrant = z
  .object({
    id: Id,
    orgUserId: Id,
    person: Person,
    grant: z.enum(deskGrants).meta({ choices: 'DeskGrantKind' }),
    grantedBy: Person,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'DeskGrant' })

export function deskGrantView(row: DeskGrantRow): z.input<typeof DeskGrant> {
  return {
    id: row.id,
    orgUserId: row.membership_id,
    person: personView(row.membership_id, row.member_name),
    grant: row.kind,
    grantedBy: personView(row.granted_by, row.granter_name),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
