import { defineEntity, p } from '@mikro-orm/core'
import { deviceKinds } from '../../fleet/resources/resource.rules.ts'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Tenths } from '../../platform/kernel/units.ts'
import { clocks } from '../courses/syllabus.rules.ts'
import { creditSources } from '../enrollments/requirement-progress.rules.ts'

/**
 * An entry of an enrollment's credit ledger, in tenths of hours or as a count. Entries are only appended; a correction
 * is a reversal, an entry of the negated amount. Kysely writes it; the ORM only declares the columns.
 */
export const CreditEntry = defineEntity({
  name: 'CreditEntry',
  tableName: 'credit_entry',
  properties: {
    ...tenantRecord,
    enrollmentId: p.integer(),
    versionId: p.integer(),
    requirementId: p.integer(),
    tenths: p.integer().$type<Tenths>().nullable(),
    count: p.integer().nullable(),
    source: p.enum(creditSources),
    clock: p.enum(clocks).nullable(),
    /** The kind of simulator or training device that the time was in. */
    deviceKind: p.enum(deviceKinds).nullable(),
    notes: p.text().nullable(),
    occurredAt: instant(),
    recordId: p.integer().nullable(),
    reversesId: p.integer().nullable(),
    createdBy: p.integer(),
  },
})
