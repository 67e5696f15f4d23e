import { p } from '@mikro-orm/core'
import type { SealKind } from './contracts/seal-kinds.ts'
import { instant, tenantRecord } from './db/columns.ts'
import { log } from './db/declare-table.ts'

/**
 * The seal of something that was signed. `leaf` is a hash of the signed columns, `mac` its authentication code under a key that is not
 * in the database. The members are those of the commit; a merge does not change them. Implements docs/decisions/0046.
 */
export const Seal = log('seal', {
  exported: { without: ['salt'] },
  rights: 'append only',
  columns: {
    ...tenantRecord,
    /** Within the organization, without gaps, in the order of the commits. */
    number: p.integer(),
    kind: p.text().$type<SealKind>(),
    subjectId: p.integer(),
    /** The member of whom it is; null for none. */
    memberId: p.integer().nullable(),
    /** The member who signed; null for the service. */
    signerId: p.integer().nullable(),
    signedAt: instant(),
    salt: p.blob(),
    leaf: p.blob(),
    mac: p.blob(),
    keyId: p.text(),
  },
})
