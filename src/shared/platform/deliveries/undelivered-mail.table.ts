import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../db/columns.ts'
import type { UndeliveredReason } from './undelivered-mail.types.ts'

/**
 * The latest mail about a record, where it was given up; no row once a later mail about the record was delivered. Kysely
 * writes the table; the ORM only declares its columns.
 */
export const UndeliveredMail = defineEntity({
  name: 'UndeliveredMail',
  tableName: 'undelivered_mail',
  properties: {
    ...tenantRecord,
    invitationId: p.integer().nullable(),
    invoiceId: p.integer().nullable(),
    guestId: p.integer().nullable(),
    membershipId: p.integer().nullable(),
    reason: p.text().$type<UndeliveredReason>(),
    givenUpAt: instant(),
  },
})
