import type { notifyConcerned } from '../../../shared/communication/notifications/notifications.jobs.ts'
import { tellConcerned } from '../../../shared/communication/notifications/tell-concerned.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { claimOutboxEntry } from '../../../shared/platform/jobs/claim-outbox-entry.ts'
import { tellers } from './tellers.ts'

/** Works out who is concerned and tells them, once: the rows and the mails and pushes that they owe, or nothing. */
export const notifyEveryoneConcerned: JobProcessor<typeof notifyConcerned> = async (happening, tools, run) => {
  const telling = await tellers[happening.kind](tools, happening)
  if (!telling) return
  const concerned = await telling.concerned()
  await tools.transaction(async (tx) => {
    if (await claimOutboxEntry(tx, run.id)) await tellConcerned(tx, run.id, happening, telling.message, concerned)
  })
}
