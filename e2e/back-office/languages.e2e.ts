/** The back office from the sign-in on in the languages that no other test reads. */
import { expectAccessible } from '../fixtures/accessibility';
import { expect, test } from '../fixtures/test';

const languages = {
  ja: {
    name: '日本語',
    email: 'メールアドレス',
    password: 'パスワード',
    signIn: 'ログイン',
    today: '本日',
    menu: 'メニュー',
    customers: '顧客',
    enrol: '顧客を登録',
    givenName: '名',
    phone: '電話番号',
    contactMissing: '電話番号またはメールアドレスを入力してください。',
    notAPhone: '正しい電話番号を入力してください（例：+81 90 1234 5678）。',
    cancel: 'キャンセル',
    settings: '設定',
    pinRequired: '利用時のPINを必須にする',
  },
  ms: {
    name: 'Bahasa Melayu',
    email: 'E-mel',
    password: 'Kata laluan',
    signIn: 'Log masuk',
    today: 'Hari ini',
    menu: 'Menu',
    customers: 'Pelanggan',
    enrol: 'Daftar pelanggan',
    givenName: 'Nama',
    phone: 'Telefon',
    contactMissing: 'Masukkan nombor telefon atau alamat e-mel.',
    notAPhone: 'Masukkan nombor telefon yang sah, contohnya +60 12 345 6789.',
    cancel: 'Batal',
    settings: 'Tetapan',
    pinRequired: 'PIN diperlukan untuk penebusan',
  },
};

for (const [language, words] of Object.entries(languages)) {
  test(`staff choose ${words.name} as they sign in, and read screens and errors in it`, async ({ page, merchant }) => {
    await page.goto('/sign-in');
    await page.getByRole('combobox', { name: 'Language' }).selectOption(words.name);
    await page.getByLabel(words.email).fill(merchant.owner.email);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await page.getByLabel(words.password, { exact: true }).fill(merchant.owner.password);
    await page.getByRole('button', { name: words.signIn, exact: true }).click();
    await page.waitForURL('**/home');

    const navigation = page.getByRole('navigation');
    const open = (name: string) => navigation.getByRole('link', { name, exact: true }).click();
    const heading = page.getByRole('heading', { level: 1 });
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.getByRole('heading', { name: words.today })).toBeVisible();
    await expectAccessible(page);
    await open(words.menu);
    await expect(heading).toHaveText(words.menu);
    await open(words.customers);
    await expect(heading).toHaveText(words.customers);

    await page.getByRole('button', { name: words.enrol }).click();
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: words.enrol });
    await dialog.getByLabel(words.givenName, { exact: true }).fill('Aisyah');
    await send.click();
    await expect(dialog.getByText(words.contactMissing, { exact: true })).toBeVisible();
    await dialog.getByLabel(words.phone).fill('12');
    await send.click();
    await expect(dialog.getByText(words.notAPhone, { exact: true })).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: words.cancel }).click();

    await navigation.getByRole('button', { expanded: false }).first().click();
    await open(words.settings);
    await expect(page.getByRole('switch', { name: words.pinRequired })).toBeVisible();
  });
}
