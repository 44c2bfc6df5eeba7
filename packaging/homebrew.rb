# Written by packaging/build for each release; belongs into Formula/ of the repository homebrew-reqgate.
class Reqgate < Formula
  desc "@SUMMARY@"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: [@LICENCES@]

@PLACES@
  def install
    bin.install "reqgate"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/reqgate.bash" => "reqgate"
    fish_completion.install "completions/reqgate.fish"
    zsh_completion.install "completions/_reqgate"
  end

  test do
    assert_equal "reqgate #{version}", shell_output("#{bin}/reqgate --version").strip
  end
end
