import { Migration } from '@mikro-orm/migrations'

/**
 * An endorsement has the instant of its signature, of the training that it attests, the parameters of its template, and a
 * signer who need be no member. Those that exist keep the edition that they were signed under.
 */
export class Migration20261122134610_endorsement_signers extends Migration {
  override up(): void {
    this.addSql(`alter table endorsement
      add column signed_at timestamptz(3),
      add column training_at timestamptz(3),
      add column parameters jsonb not null default '{}',
      add column signer_name text,
      add column recorded_by integer,
      alter column signed_by drop not null,
      add constraint endorsement_one_signer check (signed_by is null or signer_name is null),
      add foreign key (organization_id, recorded_by) references membership (organization_id, id)`)
    this.addSql('alter table endorsement disable trigger user')
    this.addSql('update endorsement set signed_at = created_at')
    this.addSql('alter table endorsement enable trigger user')
    this.addSql('alter table endorsement alter column signed_at set default now(), alter column signed_at set not null')
  }
}
