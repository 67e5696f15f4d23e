import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../../platform/db/columns.ts'

/**
 * The row that remains of a deleted organization, for operators: `flightline org list --deleted` prints it, and no
 * endpoint returns it. Rows are only added. Kysely writes the table; the ORM only declares its columns.
 */
export const DeletedOrganization = defineEntity({
  name: 'DeletedOrganization',
  tableName: 'deleted_organization',
  properties: {
    /** The id of the deleted organization. */
    id: p.integer().primary(),
    name: p.text(),
    createdAt: instant(),
    deletedAt: instant(),
    /** The account of the owner who deleted it. */
    deletedBy: p.integer(),
    /** Counts at the deletion: present members, and all resources, bookings and invoices. */
    members: p.integer(),
    resources: p.integer(),
    bookings: p.integer(),
    invoices: p.integer(),
  },
})
