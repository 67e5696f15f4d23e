import { invoiceBatchWork } from '../billing/invoices/invoice-batch.ts'
import type { Role } from '../platform/authz/roles.ts'
import { hasRole, type RoleFlags } from '../platform/authz/roles.ts'
import type { OperationKind } from '../platform/operations/operation.table.ts'
import type { OperationWorks } from '../platform/operations/run-operation.ts'
import { exportWork } from '../portability/exports/export-organization.ts'
import { importWork } from '../portability/imports/put-rows.ts'
import { bulkWork } from '../workflows/finish-bulk.ts'

/** The work of each kind of operation. */
export const operationWorks: OperationWorks = {
  reservation_bulk: bulkWork,
  import: importWork,
  invoice_batch: invoiceBatchWork,
  export: exportWork,
}

/** Returns the kinds of operations that a member with these roles may start and read. */
export function kindsFor(roles: RoleFlags): OperationKind[] {
  const all = Object.entries(operationWorks) as [OperationKind, { roles: readonly Role[] }][]
  return all.filter(([, work]) => hasRole(roles, work.roles)).map(([kind]) => kind)
}
