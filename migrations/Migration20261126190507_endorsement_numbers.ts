import { Migration } from '@mikro-orm/migrations'

/**
 * An endorsement that is signed from now on counts only with the number of the signer's certificate, and not when its
 * number contradicts the verified certificate of the signer. Those signed before, and imported ones, stay as they are.
 */
export class Migration20261126190507_endorsement_numbers extends Migration {
  override up(): void {
    this.addSql(`
      alter table endorsement
        add column number_required boolean not null default false,
        add column certificate_flaw text check (certificate_flaw in ('other_number', 'ended'))`)
  }
}
