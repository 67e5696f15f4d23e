import { remindSomeOverdue } from '../../shared/billing/invoices/remind-overdue.ts'
import { sweep } from '../platform/sweep.ts'

export const billingSweeps = {
  'invoices.remind-overdue': sweep(remindSomeOverdue),
}
