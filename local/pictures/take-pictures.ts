import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { escapeHtml } from '../../src/shared/platform/kernel/text.ts'

/**
 * `npm run pictures`, beside `npm start` with the same variables: takes the pictures of the README from the running
 * service, and one of the last lines of `npm run demo`. Needs Chromium; CHROMIUM names another one than Debian's.
 */
const root = join(import.meta.dirname, '../..')
const { PORT = '3000', MAIL_WEB_PORT = '1080', CHROMIUM = '/usr/bin/chromium' } = process.env
const { DATA_DIR = join(root, '.data') } = process.env
const DEMO_LINES = 18
const [WIDTH, HEIGHT] = [1280, 700]

const { opsPassword } = JSON.parse(await readFile(join(DATA_DIR, 'secrets.json'), 'utf8'))
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
await picture(browser, 'reference', `http://localhost:${PORT}/docs/close-out#rampOut`)
await picture(browser, 'queues', `http://localhost:${PORT}/ops/queues`)
await picture(browser, 'inbox', `http://localhost:${MAIL_WEB_PORT}`)
await picture(browser, 'demo', `data:text/html,${encodeURIComponent(await demoPage())}`)
await browser.close()

/** Writes the picture of a page to `docs/images`. */
async function picture(from: Browser, name: string, address: string): Promise<void> {
  const page = await from.newPage({
    viewport: { width: WIDTH, height: HEIGHT },
    httpCredentials: { username: 'ops', password: opsPassword },
  })
  await page.goto(address, { waitUntil: 'load' })
  // Pages with scripts ask for their rows after they are loaded.
  await page.waitForTimeout(1_500)
  if (name === 'inbox') {
    await page.locator('#mails li, #mails a, #mails button').first().click()
    await page.frameLocator('iframe').locator('h1').waitFor()
  }
  await page.screenshot({ path: join(root, `docs/images/${name}.png`) })
  await page.close()
}

/** Runs the demo, and returns a page with its last lines. */
async function demoPage(): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'demo'], { cwd: root })
  const lines = stdout.trimEnd().split('\n').slice(-DEMO_LINES).join('\n')
  return `<!doctype html><meta charset="utf-8"><body style="margin:0;background:#10161d"><pre style="margin:0;padding:24px;color:#e6edf3;font:15px/1.6 monospace;white-space:pre-wrap">${escapeHtml(lines)}</pre>`
}
