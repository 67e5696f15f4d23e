import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../../platform/db/columns.ts'

/**
 * What stays of a deleted organization, for operators: `flightline org list --deleted` shows it, and no endpoint does.
 * Rows are only added. Kysely writes it; the ORM only declares the columns.
 */
export const DeletedOrganization = defineEntity({
  name: 'DeletedOrganization',
  tableName: 'deleted_organization',
  properties: {
    /** The id that it had. */
    id: p.integer().primary(),
    name: p.text(),
    createdAt: instant(),
    deletedAt: instant(),
    /** The account of the owner who deleted it. */
    deletedBy: p.integer(),
    /** How many there were: members who had not left, and everything that was ever made of the others. */
    members: p.integer(),
    resources: p.integer(),
    bookings: p.integer(),
    invoices: p.integer(),
  },
})
