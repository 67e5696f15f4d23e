import { notifyExpiringEndorsements } from '../../shared/training/endorsements/issue-endorsement.ts'
import { notifyStalled } from '../../shared/training/enrollments/notify-stalled.ts'
import { notifyPlannedTests } from '../../shared/training/readiness/notify-planned-tests.ts'
import { notifyExpiringTests } from '../../shared/training/records/add-test-result.ts'
import { sweep } from '../platform/sweep.ts'

export const trainingSweeps = {
  'training.remind-expiring-endorsements': sweep(
    notifyExpiringEndorsements,
    notifyExpiringTests,
    notifyPlannedTests,
    notifyStalled,
  ),
}
