/** The demo's texts in diners' other languages. */
import type { MenuLanguage } from '../kinds/lists';

/** English, Chinese, Japanese, Malay. */
const singapore = `
Toast & eggs|吐司与鸡蛋|トースト＆卵|Roti bakar & telur
Noodles & rice|面食与饭类|麺・ご飯|Mi & nasi
Drinks|饮料|ドリンク|Minuman
Desserts|甜品|デザート|Pencuci mulut
Kaya butter toast|咖椰牛油吐司|カヤバタートースト|Roti bakar kaya dan mentega
Charcoal-grilled, with our own pandan kaya and cold butter|炭烤吐司，配自制香兰咖椰与冰牛油|炭火焼き、自家製パンダンカヤと冷たいバター|Dibakar arang, dengan kaya pandan buatan sendiri dan mentega sejuk
Kaya toast set|咖椰吐司套餐|カヤトーストセット|Set roti bakar kaya
Toast, two soft-boiled eggs and a kopi or teh|吐司、两颗半熟蛋，配咖啡或茶|トースト、半熟卵2個、コピまたはテー|Roti bakar, dua biji telur separuh masak dan kopi atau teh
French toast with kaya|咖椰法式吐司|カヤのフレンチトースト|Roti telur dengan kaya
Thick-cut, fried in butter|厚切，牛油香煎|厚切りをバターで焼き上げ|Potongan tebal, digoreng dengan mentega
Peanut butter toast|花生酱吐司|ピーナッツバタートースト|Roti bakar mentega kacang
Crunchy peanuts, a little salt|香脆花生，微咸|カリカリのピーナッツに塩少々|Kacang rangup, sedikit garam
Soft-boiled eggs|半熟蛋|半熟卵|Telur separuh masak
Two, with dark soy and white pepper|两颗，配黑酱油与白胡椒|2個、濃口醤油と白こしょう|Dua biji, dengan kicap pekat dan lada putih
Ham and cheese toastie|火腿芝士吐司|ハムチーズトースト|Roti bakar ham dan keju
Melted cheddar on country white|乡村白面包配融化切达芝士|田舎風パンにとろけるチェダー|Keju cheddar cair di atas roti putih
Otah toast|乌打吐司|オタトースト|Roti otak-otak
Spiced mackerel in a warm bun|温热面包夹香料鲭鱼|スパイスさばの温かいパン|Ikan tenggiri berempah dalam roti hangat
Laksa|叻沙|ラクサ|Laksa
Rice noodles in coconut broth, prawns, tau pok|椰浆汤米粉，配虾和豆卜|ココナッツスープの米麺、えび、厚揚げ|Mi beras dalam kuah santan, udang, tauhu pok
Mee siam|暹罗米粉|ミーサイアム|Mi siam
Tangy gravy, egg, tau pok|酸辣汤汁、鸡蛋、豆卜|甘酸っぱいスープ、卵、厚揚げ|Kuah masam manis, telur, tauhu pok
Nasi lemak|椰浆饭|ナシレマ|Nasi lemak
Coconut rice, fried chicken wing, ikan bilis, sambal|椰香饭、炸鸡翅、江鱼仔、参峇|ココナッツライス、手羽揚げ、小魚、サンバル|Nasi santan, kepak ayam goreng, ikan bilis, sambal
Chicken rice|鸡饭|チキンライス|Nasi ayam
Poached chicken, ginger, chilli|白切鸡、姜、辣椒|蒸し鶏、しょうが、チリ|Ayam rebus, halia, cili
Mee rebus|马来卤面|ミールブス|Mi rebus
Yellow noodles in sweet potato gravy|番薯浓汁黄面|さつまいものとろみソースの中華麺|Mi kuning dalam kuah keledek
Curry chicken with bread|咖喱鸡配面包|チキンカレーとパン|Kari ayam dengan roti
Slow-cooked thigh, potatoes, baguette|慢炖鸡腿、土豆、法棍|じっくり煮込んだもも肉、じゃがいも、バゲット|Paha ayam dimasak perlahan, kentang, baguette
Fried bee hoon|炒米粉|焼きビーフン|Bihun goreng
With cabbage, egg and sambal|配包菜、鸡蛋与参峇|キャベツ、卵、サンバル入り|Dengan kobis, telur dan sambal
Kopi|咖啡|コピ|Kopi
Coffee with condensed milk|炼奶咖啡|練乳入りコーヒー|Kopi dengan susu pekat
Kopi O|黑咖啡|コピオー|Kopi O
Black, with sugar|加糖黑咖啡|砂糖入りブラック|Kopi hitam bergula
Teh|奶茶|テー|Teh
Tea with condensed milk|炼奶红茶|練乳入り紅茶|Teh dengan susu pekat
Teh tarik|拉茶|テータリック|Teh tarik
Pulled until it froths|反复拉至起泡|泡立つまで注いだミルクティー|Ditarik sehingga berbuih
Milo dinosaur|美禄恐龙|ミロダイナソー|Milo dinosaur
Iced, with a heap of powder on top|冰饮，上面堆满美禄粉|アイス、ミロパウダーたっぷり|Sejuk, dengan serbuk Milo di atas
Lime juice|青柠汁|ライムジュース|Jus limau
Calamansi, freshly pressed|鲜榨酸柑|搾りたてカラマンシー|Limau kasturi perah segar
Barley water|薏米水|バーリーウォーター|Air barli
Hot or iced|热饮或冰饮|ホットまたはアイス|Panas atau sejuk
Iced lemon tea|冰柠檬茶|アイスレモンティー|Teh lemon ais
Brewed each morning|每日清晨现泡|毎朝お淹れしています|Dibancuh setiap pagi
Chendol|煎蕊|チェンドル|Cendol
Shaved ice, gula melaka, coconut milk|刨冰、马六甲椰糖、椰浆|かき氷、ヤシ砂糖、ココナッツミルク|Ais kisar, gula melaka, santan
Ice kachang|红豆冰|アイスカチャン|Ais kacang
Red beans, sweetcorn, rose syrup|红豆、玉米、玫瑰糖浆|小豆、コーン、ローズシロップ|Kacang merah, jagung manis, sirap ros
Pandan chiffon cake|香兰戚风蛋糕|パンダンシフォンケーキ|Kek sifon pandan
By the slice|按片出售|1切れ|Sepotong
Pulut hitam|黑糯米粥|プルットヒタム|Pulut hitam
Black glutinous rice, warm coconut cream|黑糯米配温热椰浆|黒もち米と温かいココナッツクリーム|Pulut hitam dengan santan hangat
Ondeh-ondeh|椰丝糯米球|オンデオンデ|Onde-onde
Five pieces, filled with gula melaka|五粒，内馅为马六甲椰糖|5個、ヤシ砂糖入り|Lima biji, berinti gula melaka
Sugar|甜度|甘さ|Gula
Normal|正常|ふつう|Biasa
Less sweet|少糖|甘さ控えめ|Kurang manis
No sugar|无糖|砂糖なし|Tanpa gula
Extras|加料|追加|Tambahan
Soft-boiled egg|半熟蛋|半熟卵|Telur separuh masak
More sambal|多加参峇|サンバル増量|Lebih sambal
Fried chicken wing|炸鸡翅|手羽揚げ|Kepak ayam goreng
Drink of the set|套餐饮料|セットのドリンク|Minuman set
Iced Milo|冰美禄|アイスミロ|Milo ais
Top up 100, get 120|充 100 得 120|100 チャージで 120|Tambah 100, dapat 120
Top up any amount from 20 to 500, get 10% extra|充值 20 至 500，加送 10%|20〜500 のチャージで 10% 増量|Tambah 20 hingga 500, dapat 10% lagi
Katong regulars: top up 50, get 58|加东熟客：充 50 得 58|カトン常連様：50 チャージで 58|Pelanggan tetap Katong: tambah 50, dapat 58
$5 off your bill|整单立减 $5|お会計 $5 引き|Potongan $5 daripada bil
10% off your bill|整单立减 10%|お会計 10% 引き|Potongan 10% daripada bil
$1 off any drink|任一饮料立减 $1|ドリンク $1 引き|Potongan $1 untuk minuman
Half-price dessert|甜品半价|デザート半額|Pencuci mulut separuh harga
Welcome: a kopi on the house|新会员礼：免费咖啡一杯|ようこそ：コピ1杯無料|Selamat datang: kopi percuma`;

/** Japanese, English, Chinese, Malay. */
const tokyo = `
ラーメン|Ramen|拉面|Ramen
一品|Side dishes|小菜|Hidangan sampingan
飲み物|Drinks|饮料|Minuman
醤油ラーメン|Soy sauce ramen|酱油拉面|Ramen kicap
鶏と煮干しのスープ|Chicken and dried sardine broth|鸡汤与小鱼干汤底|Kuah ayam dan ikan bilis
塩ラーメン|Salt ramen|盐味拉面|Ramen garam
貝だしのあっさりスープ|Light clam broth|清淡贝类汤底|Kuah kerang yang ringan
味噌ラーメン|Miso ramen|味噌拉面|Ramen miso
三種の味噌|Three kinds of miso|三种味噌|Tiga jenis miso
つけ麺|Dipping noodles|蘸面|Mi celup
太麺、魚介スープ|Thick noodles, seafood broth|粗面、海鲜汤|Mi tebal, kuah makanan laut
餃子|Gyoza|煎饺|Gyoza
六個|Six pieces|六个|Enam biji
唐揚げ|Fried chicken|日式炸鸡|Ayam goreng karaage
四個|Four pieces|四块|Empat ketul
味玉|Marinated egg|溏心蛋|Telur perap
生ビール|Draft beer|生啤酒|Bir draf
烏龍茶|Oolong tea|乌龙茶|Teh oolong
トッピング|Toppings|配料|Topping
チャーシュー|Roast pork|叉烧|Khinzir panggang
のり|Nori seaweed|海苔|Rumpai laut nori
5,000円チャージで5,500円分|Top up ¥5,000, get ¥5,500|充 5,000 日元得 5,500 日元|Tambah ¥5,000, dapat ¥5,500
300円引き|¥300 off|立减 300 日元|Potongan ¥300
お会計10%引き|10% off your bill|整单立减 10%|Potongan 10% daripada bil
餃子100円引き|¥100 off gyoza|煎饺立减 100 日元|Potongan ¥100 untuk gyoza
飲み物半額|Half-price drinks|饮料半价|Minuman separuh harga`;

const tables: [MenuLanguage[], string][] = [
  [['zh', 'ja', 'ms'], singapore],
  [['en', 'zh', 'ms'], tokyo],
];

const phrases = new Map(
  tables.flatMap(([languages, table]) =>
    table
      .trim()
      .split('\n')
      .map((line) => line.split('|'))
      .map(([text = '', ...translated]) => [
        text,
        languages.map((language, at) => [language, translated[at] ?? ''] as const),
      ]),
  ) as [string, (readonly [MenuLanguage, string])[]][],
);

type Translated = Partial<Record<MenuLanguage, { name: string }>>;

/** Returns the translations of a name. */
export const translatedName = (name: string): Translated =>
  Object.fromEntries((phrases.get(name) ?? []).map(([language, text]) => [language, { name: text }]));

/** Returns the translations of an item's texts. */
export function translatedItem(name: string, description: string) {
  const descriptions = new Map(phrases.get(description) ?? []);
  return Object.fromEntries(
    (phrases.get(name) ?? []).map(([language, text]) => [
      language,
      { name: text, description: descriptions.get(language) ?? '' },
    ]),
  );
}
