import { remindOfLate } from '../../shared/dispatch/remind-late.ts'
import { remindOfUnsigned } from '../../shared/dispatch/remind-unsigned.ts'
import { sweep } from '../platform/sweep.ts'

export const dispatchSweeps = {
  'dispatch.remind-late': sweep(remindOfLate),
  'close-out.remind-unsigned': sweep(remindOfUnsigned),
}
