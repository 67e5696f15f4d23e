import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import axe from 'axe-core'
import { createTransport } from 'nodemailer'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { median } from '../../bench/measure.ts'
import { type MailCatcher, startMailCatcher } from '../../local/mail/mail-catcher.ts'
import { hashPassword } from '../../src/shared/identity/accounts/hash-password.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { buildSchool, type School } from '../support/builders.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { startSimulator, stripeClient, type TestSimulator } from '../support/stripe-simulator.ts'
import { buildTraining, enrol } from '../support/training.ts'

/**
 * Every page that is ours, seen by a browser: light and dark, on a desk and on a phone. Needs Chromium (`.ci/packages`);
 * CHROMIUM names another one, SCREENSHOTS a folder for what it saw.
 */
const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const screenshots = process.env.SCREENSHOTS

const views = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone, dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const

/** The least share of a phone's height that the list of the inbox, or the chosen mail, has. */
const LEAST_SHARE = 0.7

let postgres: OwnPostgres
let api: TestApp
let catcher: MailCatcher
let simulator: TestSimulator
let browser: Browser
let addresses: Record<string, string>

beforeAll(async () => {
  postgres = await startOwnPostgres()
  api = await startTestApp({ databaseUrl: postgres.url })
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const base = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`
  catcher = await startMailCatcher({ smtpPort: 0, webPort: 0, host: '127.0.0.1' })
  simulator = await startSimulator()
  await sendMails()
  const [mail] = (await (await fetch(`${catcher.webUrl}/email`)).json()) as { id: string }[]
  const of = (path: string) => `${base}${path}`
  const reference = ['/', '/docs', '/docs/reservations', '/docs/training', '/docs/errors', '/docs/events']
  const guides = [
    'first-request',
    'an-app-from-nothing',
    'bringing-a-school-in',
    'booking-rules',
    'errors',
    'idempotency',
    'conditions',
    'webhooks',
    'paging',
  ]
  const links = ['verify-email', 'reset-password', 'invitation', 'confirm-request', 'connected-account']
  addresses = Object.fromEntries([
    ...reference.map((path) => [path, of(path)]),
    ...guides.map((name) => [`guide ${name}`, of(`/docs/guides/${name}`)]),
    ['search', of('/docs/find?q=booking')],
    ...links.map((path) => [path, of(`/${path}#token=none-of-ours`)]),
    ['/mail-preferences', of('/mail-preferences')],
    ['/stalled-students', of('/stalled-students')],
    ['/offer', of('/offer#none-of-ours')],
    ['inbox', catcher.webUrl],
    ['mail', `${catcher.webUrl}/#${mail?.id}`],
    ['pay page', await openInvoice()],
  ])
  browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] })
})
afterAll(async () => {
  await browser?.close()
  await simulator?.close()
  await catcher?.close()
  await api?.close()
  await postgres?.stop()
})

describe.each(views)('every page of ours, $name', ({ name, ...context }) => {
  test('is accessible, fits its window, and loads nothing from elsewhere', async () => {
    const faults: string[] = []
    const opened = await browser.newContext(context)
    for (const [title, address] of Object.entries(addresses)) {
      const page = await opened.newPage()
      const foreign = watch(page, address)
      await page.goto(address, { waitUntil: 'load' })
      // The pages with scripts have filled themselves when nothing is under way any more; the inbox asks on.
      await page.waitForFunction('document.readyState === "complete"')
      await page.waitForTimeout(300)
      for (const fault of [...(await violationsOf(page)), ...(await overflowOf(page)), ...foreign]) {
        faults.push(`${title}: ${fault}`)
      }
      if (screenshots) {
        const file = `${screenshots}/${`${title} ${name}`.replace(/\W+/g, '-')}.png`
        await page.screenshot({
          path: file,
          fullPage: (await page.evaluate<number>('document.body.scrollHeight')) < 6_000,
        })
      }
      await page.close()
    }
    await opened.close()
    expect(faults).toEqual([])
  })
})

describe('the page of stalled students', () => {
  test('shows the report as its reader may know it, after signing in', async () => {
    const school = await schoolWithPassword()
    const { student, organizationId } = school
    const id = await enrol(api, school, await buildTraining(api, school), student)
    const created_at = new Date(api.clock.now.getTime() - 30 * 86_400_000)
    await api.core.database.db.updateTable('enrollment').set({ created_at }).where('id', '=', id).execute()
    const page = await browser.newPage()
    await page.goto(`${addresses['/stalled-students']}#organization=${organizationId}`)
    await page.locator('#email').fill(student.email)
    await page.locator('#password').fill('not the password')
    await page.locator('#submit').click()
    await page.getByText('The email address or the password is not right.').waitFor()
    await page.locator('#password').fill(password)
    await page.locator('#submit').click()
    await page.getByRole('row', { name: `${student.name} 30 no booking` }).waitFor()
    expect([...(await violationsOf(page)), ...(await overflowOf(page))]).toEqual([])
    if (screenshots) await page.screenshot({ path: `${screenshots}/stalled-students-read.png`, fullPage: true })
    await page.close()
  })
})

describe('the page of notification preferences', () => {
  test('saves a choice at once, after signing in', async () => {
    const { email } = (await schoolWithPassword()).student
    const page = await browser.newPage()
    await page.goto(addresses['/mail-preferences']!)
    await page.locator('#email').fill(email)
    await page.locator('#password').fill(password)
    await page.locator('#submit').click()
    await page.getByLabel('announcement, by mail').uncheck()
    await page.getByText('Saved: announcement, by mail.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toEqual([])
    if (screenshots) await page.screenshot({ path: `${screenshots}/mail-preferences-chosen.png`, fullPage: true })
    await page.reload()
    await page.locator('#email').fill(email)
    await page.locator('#password').fill(password)
    await page.locator('#submit').click()
    await page.getByLabel('announcement, by mail').waitFor()
    expect(await page.getByLabel('announcement, by mail').isChecked()).toBe(false)
    await page.close()
  })
})

describe('the reference', () => {
  test('is as readable without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(addresses['/docs/reservations']!)
    expect(await page.title()).toBe('Reservations · Flightline')
    expect(await page.locator('details.operation').count()).toBeGreaterThan(8)
    const body = page.locator('#createReservation')
    expect(await body.isVisible()).toBe(false)
    await page.locator('nav a[href$="#createReservation"]').click()
    await body.waitFor({ state: 'visible' })
    const other = page.locator('details.operation:has(#checkReservation)')
    await other.locator('> summary').click()
    expect(await other.locator('dt', { hasText: 'Idempotency-Key' }).isVisible()).toBe(true)
    await page.locator('input[name=q]').fill('RESOURCE_CLASH')
    await page.locator('form[role=search] button').click()
    expect(await page.locator('main li').first().textContent()).toContain('RESOURCE_CLASH')
    await context.close()
  })

  test('is painted from its HTML alone: no script or sheet is waited for', async () => {
    const line = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A line</title><p>One line.')
    }).listen(0, '127.0.0.1')
    await once(line, 'listening')
    addresses['a page of one line'] = `http://127.0.0.1:${(line.address() as AddressInfo).port}`
    const figures: string[] = []
    for (const path of ['a page of one line', '/docs', '/docs/reservations', '/docs/training', '/docs/errors']) {
      const times: number[] = []
      for (let time = 0; time < 5; time += 1) {
        const { firstPaintMs, waitedFor } = await openCold(addresses[path]!)
        expect(waitedFor).toEqual([])
        times.push(firstPaintMs)
      }
      figures.push(`${path}: first paint ${Math.round(median(times))} ms`)
    }
    line.close()
    process.stdout.write(`${figures.join('\n')}\n`)
  })
})

/** Opens a page in a browser that has nothing cached: when its first text is painted, and what it is held up by. */
async function openCold(address: string): Promise<{ firstPaintMs: number; waitedFor: string[] }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(address)
  const firstPaintMs = await page.evaluate<number>(`new Promise((resolve) =>
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime)
    }).observe({ type: 'paint', buffered: true }))`)
  const waitedFor = await page.evaluate<string[]>(`performance.getEntriesByType('resource')
    .filter(({ renderBlockingStatus }) => renderBlockingStatus === 'blocking').map(({ name }) => name)`)
  await context.close()
  return { firstPaintMs, waitedFor }
}

/** Notes requests to other sites, refusals of the content security policy, and errors of scripts. */
function watch(page: Page, address: string): string[] {
  const seen: string[] = []
  const { origin } = new URL(address)
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(data|about):/.test(url)) seen.push(`asks ${url}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) seen.push(message.text())
  })
  page.on('pageerror', (error) => seen.push(error.message))
  return seen
}

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const violations = await page.evaluate<Violation[]>(
    'axe.run(document, { iframes: false }).then((found) => found.violations)',
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}

async function overflowOf(page: Page): Promise<string[]> {
  const wide = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  return wide > 1 ? [`is ${wide} px wider than its window`] : []
}

const password = 'clear-prop-runway-28'

/** Builds a school whose student signs in with a password. */
async function schoolWithPassword(): Promise<School> {
  const school = await buildSchool(api)
  const password_hash = await hashPassword(password)
  const { db } = api.core.database
  await db.updateTable('account').set({ password_hash }).where('id', '=', school.student.accountId).execute()
  return school
}

async function sendMails(): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: catcher.smtpPort })
  const mail = { from: 'Bay Flight Academy <desk@bay.example>', to: 'Ana Ruiz <ana@bay.example>' }
  const text = 'Your booking is confirmed.\n\nN172FL, Monday 10:00 to 12:00, with Ivan Petrov.'
  await transport.sendMail({ ...mail, subject: 'Booked: N172FL on Monday', text, html: `<p>${text}</p>` })
  await transport.sendMail({ ...mail, subject: 'Invoice 4: $182.50', text })
}

async function openInvoice(): Promise<string> {
  const stripe = stripeClient(simulator)
  const customer = await stripe.customers.create({ name: 'Ana Ruiz', email: 'ana@bay.example' })
  const { id } = await stripe.invoices.create({
    customer: customer.id,
    collection_method: 'send_invoice',
    days_until_due: 14,
  })
  await stripe.invoiceItems.create({
    customer: customer.id,
    invoice: id,
    currency: 'usd',
    amount: 18_250,
    description: 'N172FL, 1.3 h',
  })
  return (await stripe.invoices.finalizeInvoice(id)).hosted_invoice_url ?? ''
}

describe('the inbox on a phone', () => {
  test('shows the list or the chosen mail, and the way back', async () => {
    const page = await browser.newPage({ viewport: { width: 375, height: 667 } })
    try {
      const shareOf = async (part: string) => ((await page.locator(part).boundingBox())?.height ?? 0) / 667
      await page.goto(String(addresses.inbox))
      await page.locator('nav a').first().click()
      expect(await shareOf('#mail')).toBeGreaterThan(LEAST_SHARE)
      expect(await page.locator('nav').isVisible()).toBe(false)
      await page.locator('#back').click()
      expect(await shareOf('nav')).toBeGreaterThan(LEAST_SHARE)
      expect(await page.locator('section').isVisible()).toBe(false)
    } finally {
      await page.close()
    }
  })
})
