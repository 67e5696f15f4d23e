import { z } from 'zod'
import type { AuditRow } from '../../../shared/platform/events/audit.queries.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant, RecordReference } from '../../http/schemas.ts'
import { figures } from '../../scheduling/reservations/history.view.ts'

const Changed = z.record(z.string(), z.unknown()).nullable()

/** An entry of the audit log. */
export const AuditEntry = z
  .object({
    id: z.string(),
    at: Instant,
    action: z.string(),
    actor: z.object({
      kind: z.enum(['person', 'key', 'system']),
      orgUserId: Id.nullable(),
      keyId: Id.nullable(),
      name: z.string().nullable().describe('The name at the time of the event. It stays when the account is deleted'),
    }),
    address: z
      .string()
      .nullable()
      .describe('The network of the request: a /24 network of IPv4, or a /48 network of IPv6'),
    subject: RecordReference,
    before: Changed,
    after: Changed,
    reason: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' })

/** Returns an event with the names and units of the interface. */
export function auditView(row: AuditRow): z.input<typeof AuditEntry> {
  return {
    id: row.id,
    at: iso(row.at),
    action: row.kind,
    actor: { kind: row.actor_kind, orgUserId: row.membership_id, keyId: null, name: row.actor_name },
    address: row.address,
    subject: { kind: row.subject_kind, id: row.subject_id },
    before: figures(row.before),
    after: figures(row.after),
    reason: row.reason,
  }
}
