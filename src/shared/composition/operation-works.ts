import { invoiceBatchWork } from '../billing/invoices/invoice-batch.ts'
import type { OperationWorks } from '../platform/operations/run-operation.ts'
import { exportWork } from '../portability/exports/export-organization.ts'
import { personExportWork } from '../portability/exports/export-person.ts'
import { importWork } from '../portability/imports/write-rows.ts'
import { recoveryWork } from '../scheduling/recoveries/plan-recovery.ts'
import { bulkWork } from '../workflows/finish-bulk.ts'

/** The work of each kind of operation. */
export const operationWorks: OperationWorks = {
  reservation_bulk: bulkWork,
  import: importWork,
  invoice_batch: invoiceBatchWork,
  export: exportWork,
  person_export: personExportWork,
  recovery: recoveryWork,
}
