import { billingErrors } from '../billing/billing.errors.ts'
import { communicationErrors } from '../communication/communication.errors.ts'
import { dispatchErrors } from '../dispatch/dispatch.errors.ts'
import { fleetErrors } from '../fleet/fleet.errors.ts'
import { identityErrors } from '../identity/identity.errors.ts'
import { insightErrors } from '../insight/insight.errors.ts'
import { fieldErrors } from '../platform/field.errors.ts'
import type { CatalogueEntry } from '../platform/kernel/error-catalogue.ts'
import { platformErrors } from '../platform/platform.errors.ts'
import { portabilityErrors } from '../portability/portability.errors.ts'
import { qualificationErrors } from '../qualification/qualification.errors.ts'
import { recoveryErrors } from '../scheduling/recovery.errors.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import { waitlistErrors } from '../scheduling/waitlist.errors.ts'
import { trainingErrors } from '../training/training.errors.ts'
import { workflowsErrors } from '../workflows/workflows.errors.ts'

/**
 * The errors of every context, in the order of the contexts. `docs/errors.md` lists them, and translations cover them.
 */
export const errorsByContext: Readonly<Record<string, Readonly<Record<string, CatalogueEntry>>>> = {
  field: fieldErrors,
  platform: platformErrors,
  identity: identityErrors,
  communication: communicationErrors,
  fleet: fleetErrors,
  qualification: qualificationErrors,
  scheduling: schedulingErrors,
  waitlist: waitlistErrors,
  recovery: recoveryErrors,
  dispatch: dispatchErrors,
  billing: billingErrors,
  training: trainingErrors,
  insight: insightErrors,
  workflows: workflowsErrors,
  portability: portabilityErrors,
}
