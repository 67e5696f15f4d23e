import type { Data, ExampleRun } from './example-run.ts'

/** Sends the requests about aircraft, their files and approvals, and maintenance. */
export async function fleetExamples(run: ExampleRun): Promise<void> {
  const { send, school } = run
  const { actors, resourceIds } = school
  const [home] = (await send('olivia', 'GET /locations')) as unknown as Data[]
  const plane = await send('olivia', 'POST /resources', {
    body: {
      name: 'N172FL',
      location: { id: home?.id },
      type: { plane: { engines: 1, category: 'airplane', class: 'single_engine_land', fuelUnits: 'gallons' } },
      tailNumber: 'N172FL',
      serialNumber: '17280001',
      make: 'Cessna',
      model: '172S Skyhawk',
      year: 1998,
      hobbsTime: 5210.4,
      tachTime: 4820.1,
      cost: { wetRate: 17_500, billByHobbsTime: true },
    },
  })
  const params = { id: plane.id }
  await send('olivia', 'PATCH /resources/{id}', {
    params,
    body: { type: { plane: { engines: 1, fuelUnits: 'gallons' } }, cost: { wetRate: 17_900, billByHobbsTime: true } },
  })
  await send('olivia', 'POST /resources/{id}/fuel', { params, body: { fuelEngine1: 24 } })
  await send('olivia', 'PATCH /resources/{id}/grounding', {
    params,
    body: { grounded: true, reason: 'Nose wheel shimmy' },
  })
  await send('olivia', 'POST /resources/{id}/meterChange', {
    params,
    body: { meter: 'tach', oldReading: 4820.1, newReading: 0, reason: 'Tachometer replaced after it stuck' },
  })
  await send('olivia', 'POST /resources/{id}/approve', { params, body: { userId: actors.stella.accountId } })
  await send('olivia', 'POST /resources/{id}/unapprove', { params, body: { userId: actors.stella.accountId } })
  const approval = await send('olivia', 'POST /approvals', {
    body: { orgUserId: actors.stella.orgUserId, make: 'Cessna', model: '172S', expiresAt: '2027-06-01T00:00:00Z' },
  })
  await send('olivia', 'DELETE /approvals/{id}', { params: { id: approval.id } })
  const [file] = (await send('olivia', 'POST /resources/{id}/files', {
    params,
    body: { category: 'poh', visibility: 'bookers', label: 'Pilot’s operating handbook', fileNames: ['poh.pdf'] },
  })) as unknown as Data[]
  const ofFile = { ...params, fileId: file?.id ?? 0 }
  await send('olivia', 'GET /resources/{id}/files/{fileId}', { params: ofFile })
  await send('olivia', 'PATCH /resources/{id}/files/{fileId}', { params: ofFile, body: { label: 'Handbook, rev. 5' } })
  await send('olivia', 'DELETE /resources/{id}/files/{fileId}', { params: ofFile })
  await send('olivia', 'DELETE /resources/{id}', { params })
  await maintenanceExamples(run)
  await send('olivia', 'GET /resources/{id}', { params: { id: resourceIds.N734FL } })
  await send('olivia', 'GET /resources/{id}/status', { params: { id: resourceIds.N734FL } })
}

async function maintenanceExamples({ send, school }: ExampleRun): Promise<void> {
  const { N518FL, N40FL } = school.resourceIds
  const squawk = await send('olivia', 'POST /maintenance/squawks', {
    body: {
      resource: { id: N518FL },
      title: 'Left brake drags',
      description: 'Pulls to the left while taxiing.',
      severity: 'observation',
    },
  })
  const params = { id: squawk.id }
  await send('olivia', 'PATCH /maintenance/squawks/{id}', {
    params,
    body: {
      status: 'deferred',
      deferredUntil: '2026-07-31',
      deferralReference: '91.213(d)(2)',
      placarded: true,
      excludedOperations: ['night_for_hire_or_instruction'],
    },
  })
  const [picture] = (await send('olivia', 'POST /maintenance/squawks/{id}/files', {
    params,
    body: { label: 'Brake disc, left', fileNames: ['brake.jpg'] },
  })) as unknown as Data[]
  await send('olivia', 'GET /maintenance/squawks/{id}', { params })
  const ofPicture = { ...params, fileId: picture?.id ?? 0 }
  await send('olivia', 'DELETE /maintenance/squawks/{id}/files/{fileId}', { params: ofPicture })
  await send('olivia', 'POST /maintenance/squawks/{id}/resolve', {
    params,
    body: { resolution: 'Brake caliper replaced' },
  })
  const reminder = await send('olivia', 'POST /maintenance/reminders', {
    body: {
      resource: { id: N40FL },
      name: 'Transponder and static system',
      basis: 'calendar',
      intervalMonths: 24,
      lastDoneAt: '2024-07-15T12:00:00-07:00',
      warnDays: 45,
      grounding: true,
      scope: 'ifr',
    },
  })
  const item = { id: reminder.id }
  await send('olivia', 'PATCH /maintenance/reminders/{id}', { params: item, body: { warnDays: 60 } })
  await send('olivia', 'POST /maintenance/reminders/{id}/complete', {
    params: item,
    body: {
      doneAt: '2026-05-29T12:00:00-07:00',
      notes: 'Within tolerance up to 18,000 feet',
      signedBy: { name: 'Tom Becker', certificateNumber: '3141592' },
      workOrder: 'WO-2026-118',
    },
  })
  await send('olivia', 'POST /maintenance/reminders/copy', { body: { fromResourceId: N40FL, toResourceIds: [N518FL] } })
  await send('olivia', 'GET /maintenance/reminders/{id}', { params: item })
  const [completion] = (await send('olivia', 'GET /maintenance/reminders/{id}/history', {
    params: item,
  })) as unknown as Data[]
  await send('olivia', 'DELETE /maintenance/completions/{id}', {
    params: { id: completion?.id ?? 0 },
    body: { reason: 'The certificate number is of another mechanic' },
  })
  await send('olivia', 'DELETE /maintenance/reminders/{id}', { params: item })
}
