import { bill } from './billing.ts'
import { createDemoReporter } from './client.ts'
import { type Crew, equip, fly } from './flight.ts'
import { foundSchool, invite } from './people.ts'
import { invoiceText } from './report-lines.ts'

/**
 * Runs the demo from sign-up to a paid invoice, with real requests to the API at `apiUrl` and the mails of the inbox.
 * Prints each step. Returns the people.
 * @throws UnexpectedAnswer when an answer is wrong.
 */
export async function tellStory(apiUrl: string, inboxUrl: string, print: (text: string) => void): Promise<Crew> {
  const reporter = createDemoReporter(apiUrl, print)
  const owner = await foundSchool(reporter, inboxUrl)
  const crew = {
    owner,
    instructor: await invite(reporter, inboxUrl, owner, {
      name: 'Ivan Petrov',
      email: 'ivan@bayflight.example',
      role: 'instructor',
    }),
    student: await invite(reporter, inboxUrl, owner, {
      name: 'Sam Okafor',
      email: 'sam@bayflight.example',
      role: 'student',
    }),
  }
  const planeId = await equip(reporter, crew)
  const reservationId = await fly(reporter, crew, planeId)
  print(invoiceText(await bill(reporter, crew, reservationId)))
  return crew
}
