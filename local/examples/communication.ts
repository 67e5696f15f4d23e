import type { Data, ExampleRun } from './example-run.ts'

/** Sends the requests about announcements, notifications, webhooks, documents, currencies and saved reports. */
export async function communicationExamples(run: ExampleRun): Promise<void> {
  const { send } = run
  const announcement = await send('olivia', 'POST /announcements', {
    body: {
      title: 'Ramp closed on Friday',
      body: 'The ramp is repaved on Friday. Please use the east side.',
      roles: ['instructor', 'student', 'renter'],
      pinned: true,
      expiresAt: '2026-06-06T00:00:00-07:00',
    },
  })
  const params = { id: announcement.id }
  await send('olivia', 'PATCH /announcements/{id}', { params, body: { pinned: false } })
  await send('olivia', 'GET /announcements/{id}', { params })
  await send('olivia', 'POST /announcements/{id}', { params })
  await send('olivia', 'DELETE /announcements/{id}', { params })
  await send('olivia', 'PATCH /notifications/preferences', {
    body: { preferences: [{ kind: 'squawk_opened', push: true, email: false }] },
  })
  const device = { token: 'c1f7Gd0xQk2:APA91bHqX' }
  await send('olivia', 'PATCH /notifications', { body: device })
  await send('olivia', 'DELETE /auth', { body: device })
  const [first] = (await send('olivia', 'GET /notifications')) as unknown as Data[]
  await send('olivia', 'POST /notifications/{notificationId}', { params: { notificationId: first?.id ?? 0 } })
  await webhookExamples(run)
  await meetingExamples(run)
  await paperExamples(run)
  await send('olivia', 'POST /notifications')
}

async function meetingExamples({ send }: ExampleRun): Promise<void> {
  await send('ivan', 'GET /integrations/{provider}/authorize', { params: { provider: 'zoom' }, query: { as: 'json' } })
}

async function webhookExamples({ send }: ExampleRun): Promise<void> {
  const webhook = await send('olivia', 'POST /webhooks', {
    body: { url: 'https://hooks.example.com/flightline', events: ['reservation.created', 'reservation.cancelled'] },
  })
  const params = { id: webhook.id }
  await send('olivia', 'GET /webhooks/{id}', { params })
  await send('olivia', 'PATCH /webhooks/{id}', { params, body: { events: ['reservation.created', 'invoice.paid'] } })
  await send('olivia', 'POST /webhooks/{id}/rotate', { params, body: {} })
  await send('olivia', 'POST /webhooks/{id}/test', { params })
  await send('olivia', 'POST /webhooks/{id}/replay', { params, body: { startDate: '2026-05-31T00:00:00Z' } })
  await send('olivia', 'DELETE /webhooks/{id}', { params })
}

async function paperExamples({ send, school }: ExampleRun): Promise<void> {
  const { actors } = school
  const document = await send('olivia', 'POST /documents', {
    body: {
      title: 'Medical, third class',
      category: 'medical',
      orgUserId: actors.samir.orgUserId,
      expiresAt: '2027-11-30T23:59:59-08:00',
      fileName: 'medical.pdf',
    },
  })
  const params = { id: document.id }
  await send('olivia', 'PATCH /documents/{id}', { params, body: { title: 'Medical, third class, renewed' } })
  await send('olivia', 'GET /documents/{id}', { params })
  await send('olivia', 'DELETE /documents/{id}', { params })
  const currency = await send('olivia', 'POST /currencies', {
    body: {
      name: 'Ramp safety briefing',
      kind: 'expiring',
      roles: ['student', 'renter'],
      validCalendarMonths: 12,
      enforcement: 'warn',
      warnDays: 30,
    },
  })
  const ofCurrency = { id: currency.id }
  await send('olivia', 'GET /currencies/{id}', { params: ofCurrency })
  await send('olivia', 'PATCH /currencies/{id}', { params: ofCurrency, body: { warnDays: 14 } })
  await send('olivia', 'PUT /orgUsers/{id}/currencies/{currencyId}', {
    params: { id: actors.sam.orgUserId, currencyId: currency.id },
    body: { completedAt: '2026-05-20T18:00:00-07:00' },
  })
  const ofSam = { id: actors.sam.orgUserId, currencyId: currency.id }
  await send('olivia', 'POST /orgUsers/{id}/currencies/{currencyId}/end', {
    params: ofSam,
    body: { on: '2026-05-28', because: 'surrendered', note: 'Hands the ramp badge back until the next briefing' },
  })
  await send('olivia', 'POST /orgUsers/{id}/currencies/{currencyId}/resume', { params: ofSam })
  await send('olivia', 'DELETE /currencies/{id}', { params: ofCurrency })
  const view = await send('olivia', 'POST /reports/views', {
    body: {
      name: 'Last month by week',
      report: 'revenue',
      parameters: { period: 'last_month', groupBy: 'week' },
      shared: false,
    },
  })
  const ofView = { id: view.id }
  await send('olivia', 'GET /reports/views/{id}', { params: ofView })
  await send('olivia', 'PATCH /reports/views/{id}', { params: ofView, body: { shared: true } })
  await send('olivia', 'GET /reports/views/{id}/run', { params: ofView })
  await send('olivia', 'DELETE /reports/views/{id}', { params: ofView })
}
