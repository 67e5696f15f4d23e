import { remindOfBookings } from '../../shared/scheduling/reservations/remind-upcoming.ts'
import { notifyOverrides } from '../../shared/scheduling/rules/notify-overrides.ts'
import { sweep } from '../platform/sweep.ts'

export const schedulingSweeps = {
  'reservations.remind-upcoming': sweep(remindOfBookings),
  'rules.notify-overrides': sweep(notifyOverrides),
}
