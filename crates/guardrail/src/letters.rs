//! Letters that are taken for others: look-alikes of other scripts, small capitals, traditional Chinese characters.

use unicode_security::confusable_detection::skeleton;

/// Which scripts the letters of a word come from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Scripts {
    latin: bool,
    lookalike: bool,
}

impl Scripts {
    pub(super) fn note(&mut self, c: char) {
        self.latin |= c.is_ascii_alphabetic();
        // Greek, Cyrillic, Armenian and Cherokee have letters that look like Latin ones.
        self.lookalike |= matches!(c, '\u{370}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}' | '\u{ab70}'..='\u{abbf}');
    }

    pub(super) fn has_lookalikes(self) -> bool {
        self.lookalike
    }
}

/// The word in Latin letters, one for each of its characters: if it mixes scripts, or if all of it looks Latin.
pub(super) fn unmasked(word: &str, scripts: Scripts) -> Option<Vec<char>> {
    let plain: Vec<char> = word.chars().map(latin).collect();
    let all_latin = word.chars().count() > 1 && plain.iter().all(char::is_ascii_alphabetic);
    (scripts.latin || all_latin).then_some(plain)
}

/// The Latin letter that a letter looks like, of the same case; itself where there is none.
fn latin(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let mut looks = skeleton(c.encode_utf8(&mut [0; 4])).collect::<Vec<char>>().into_iter();
    match (looks.next(), looks.next()) {
        // The table folds a capital I into l.
        (Some('l'), None) if c.is_uppercase() => 'I',
        (Some(look), None) if look.is_ascii_alphabetic() && c.is_lowercase() => look.to_ascii_lowercase(),
        (Some(look), None) if look.is_ascii_alphabetic() => look,
        _ => CAPITALS.iter().find(|(known, _)| *known == c).map_or(c, |(_, latin)| *latin),
    }
}

/// Letters whose likeness the table of UTS 39 leaves out.
const CAPITALS: [(char, char); 8] =
    [('К', 'K'), ('к', 'k'), ('м', 'm'), ('т', 't'), ('н', 'h'), ('в', 'b'), ('Κ', 'K'), ('κ', 'k')];

/// The letter that a small capital of phonetic alphabets stands for.
pub(super) fn small_capital(c: char) -> Option<char> {
    const SMALL: &str = "ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzıiɑaɡgⅼlℓl";
    let mut pairs = SMALL.chars();
    while let (Some(small), Some(plain)) = (pairs.next(), pairs.next()) {
        if small == c {
            return Some(plain);
        }
    }
    None
}

/// The simplified form of a traditional character, for those that occur in orders and in names of personal data.
pub(super) fn simplified(c: char) -> Option<char> {
    TRADITIONAL.binary_search_by_key(&c, |(traditional, _)| *traditional).ok().map(|place| TRADITIONAL[place].1)
}

const TRADITIONAL: [(char, char); 221] = [
    ('並', '并'),
    ('來', '来'),
    ('係', '系'),
    ('個', '个'),
    ('們', '们'),
    ('傳', '传'),
    ('僅', '仅'),
    ('億', '亿'),
    ('優', '优'),
    ('兩', '两'),
    ('則', '则'),
    ('創', '创'),
    ('劃', '划'),
    ('動', '动'),
    ('務', '务'),
    ('勵', '励'),
    ('區', '区'),
    ('協', '协'),
    ('參', '参'),
    ('員', '员'),
    ('問', '问'),
    ('啓', '启'),
    ('啟', '启'),
    ('單', '单'),
    ('嚴', '严'),
    ('圍', '围'),
    ('圖', '图'),
    ('團', '团'),
    ('執', '执'),
    ('報', '报'),
    ('壓', '压'),
    ('實', '实'),
    ('審', '审'),
    ('寫', '写'),
    ('寬', '宽'),
    ('寶', '宝'),
    ('將', '将'),
    ('專', '专'),
    ('對', '对'),
    ('導', '导'),
    ('層', '层'),
    ('屬', '属'),
    ('帳', '账'),
    ('幫', '帮'),
    ('廣', '广'),
    ('彈', '弹'),
    ('後', '后'),
    ('從', '从'),
    ('復', '复'),
    ('態', '态'),
    ('應', '应'),
    ('戶', '户'),
    ('換', '换'),
    ('擇', '择'),
    ('據', '据'),
    ('擬', '拟'),
    ('攔', '拦'),
    ('數', '数'),
    ('於', '于'),
    ('時', '时'),
    ('書', '书'),
    ('會', '会'),
    ('條', '条'),
    ('業', '业'),
    ('極', '极'),
    ('標', '标'),
    ('機', '机'),
    ('檢', '检'),
    ('權', '权'),
    ('歡', '欢'),
    ('氣', '气'),
    ('決', '决'),
    ('況', '况'),
    ('洩', '泄'),
    ('減', '减'),
    ('測', '测'),
    ('準', '准'),
    ('滿', '满'),
    ('漢', '汉'),
    ('灣', '湾'),
    ('為', '为'),
    ('無', '无'),
    ('獎', '奖'),
    ('獲', '获'),
    ('現', '现'),
    ('產', '产'),
    ('畫', '画'),
    ('異', '异'),
    ('當', '当'),
    ('發', '发'),
    ('盡', '尽'),
    ('確', '确'),
    ('碼', '码'),
    ('種', '种'),
    ('節', '节'),
    ('範', '范'),
    ('簡', '简'),
    ('級', '级'),
    ('細', '细'),
    ('終', '终'),
    ('結', '结'),
    ('絕', '绝'),
    ('絡', '络'),
    ('給', '给'),
    ('統', '统'),
    ('經', '经'),
    ('維', '维'),
    ('網', '网'),
    ('線', '线'),
    ('編', '编'),
    ('縮', '缩'),
    ('總', '总'),
    ('績', '绩'),
    ('繞', '绕'),
    ('繫', '系'),
    ('續', '续'),
    ('羅', '罗'),
    ('義', '义'),
    ('聯', '联'),
    ('聽', '听'),
    ('臺', '台'),
    ('與', '与'),
    ('華', '华'),
    ('萬', '万'),
    ('蓋', '盖'),
    ('處', '处'),
    ('號', '号'),
    ('裝', '装'),
    ('複', '复'),
    ('規', '规'),
    ('視', '视'),
    ('訂', '订'),
    ('計', '计'),
    ('訊', '讯'),
    ('記', '记'),
    ('設', '设'),
    ('許', '许'),
    ('訴', '诉'),
    ('診', '诊'),
    ('評', '评'),
    ('詞', '词'),
    ('詢', '询'),
    ('試', '试'),
    ('詩', '诗'),
    ('話', '话'),
    ('該', '该'),
    ('詳', '详'),
    ('認', '认'),
    ('語', '语'),
    ('誠', '诚'),
    ('誤', '误'),
    ('說', '说'),
    ('誰', '谁'),
    ('請', '请'),
    ('論', '论'),
    ('講', '讲'),
    ('謝', '谢'),
    ('證', '证'),
    ('識', '识'),
    ('譯', '译'),
    ('議', '议'),
    ('護', '护'),
    ('譽', '誉'),
    ('讀', '读'),
    ('變', '变'),
    ('讓', '让'),
    ('讚', '赞'),
    ('買', '买'),
    ('貼', '贴'),
    ('賞', '赏'),
    ('賣', '卖'),
    ('質', '质'),
    ('賬', '账'),
    ('購', '购'),
    ('贊', '赞'),
    ('車', '车'),
    ('輪', '轮'),
    ('輯', '辑'),
    ('輸', '输'),
    ('轉', '转'),
    ('這', '这'),
    ('連', '连'),
    ('進', '进'),
    ('過', '过'),
    ('達', '达'),
    ('違', '违'),
    ('適', '适'),
    ('選', '选'),
    ('遺', '遗'),
    ('還', '还'),
    ('邏', '逻'),
    ('釋', '释'),
    ('銀', '银'),
    ('錯', '错'),
    ('鏈', '链'),
    ('鏡', '镜'),
    ('鑰', '钥'),
    ('門', '门'),
    ('開', '开'),
    ('間', '间'),
    ('閘', '闸'),
    ('關', '关'),
    ('際', '际'),
    ('隨', '随'),
    ('險', '险'),
    ('隱', '隐'),
    ('難', '难'),
    ('雲', '云'),
    ('電', '电'),
    ('頁', '页'),
    ('項', '项'),
    ('須', '须'),
    ('題', '题'),
    ('願', '愿'),
    ('類', '类'),
    ('顯', '显'),
    ('驗', '验'),
    ('體', '体'),
    ('鬆', '松'),
    ('點', '点'),
    ('齊', '齐'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_traditional_characters_are_in_order() {
        assert!(TRADITIONAL.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(simplified('請'), Some('请'));
        assert_eq!(simplified('请'), None);
    }

    #[test]
    fn look_alikes_keep_their_case() {
        assert_eq!(
            ['\u{406}', '\u{399}', '\u{456}', 'А', 'а', 'Р', 'ѕ'].map(latin),
            ['I', 'I', 'i', 'A', 'a', 'P', 's']
        );
    }
}
