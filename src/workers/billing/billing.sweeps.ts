import { chargeFeesDue } from '../../shared/billing/fees/charge-due-fees.ts'
import { remindSomeOverdue } from '../../shared/billing/invoices/remind-overdue.ts'
import { sweep } from '../platform/sweep.ts'

export const billingSweeps = {
  'fees.charge-due-fees': sweep(chargeFeesDue),
  'invoices.remind-overdue': sweep(remindSomeOverdue),
}
