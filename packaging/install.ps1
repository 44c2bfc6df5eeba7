# Installs reqgate @VERSION@ for the current user. The archive is unpacked only if it has the checksum below.
#
#   REQGATE_INSTALL_DIR     the folder for the binary [default: %LOCALAPPDATA%\Programs\reqgate]
#   REQGATE_DOWNLOAD_URL    a folder with the archives, instead of the release on GitHub
& {
    $ErrorActionPreference = 'Stop'
    $ProgressPreference = 'SilentlyContinue'
    $version = '@VERSION@'
    $downloads = '@DOWNLOADS@'
    $checksums = @'
@CHECKSUMS@
'@

    # A PC with an ARM processor runs this binary, too.
    $archive = "reqgate-$version-x86_64-pc-windows-msvc.tar.gz"
    $line = $checksums -split "`r?`n" | Where-Object { $_.EndsWith("  $archive") }
    if (-not $line) { throw "reqgate: the release $version has no archive for Windows" }
    $sum = ($line -split ' ')[0]
    $folder = if ($env:REQGATE_INSTALL_DIR) { $env:REQGATE_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA 'Programs\reqgate' }
    $source = if ($env:REQGATE_DOWNLOAD_URL) { $env:REQGATE_DOWNLOAD_URL } else { $downloads }
    $work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
    New-Item -ItemType Directory -Path $work | Out-Null
    try {
        $path = Join-Path $work $archive
        [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
        Invoke-WebRequest -UseBasicParsing -Uri "$source/$archive" -OutFile $path
        $found = (Get-FileHash -Algorithm SHA256 -Path $path).Hash.ToLowerInvariant()
        if ($found -ne $sum) { throw "reqgate: $archive has the checksum $found instead of ${sum}: it was not installed" }
        # Another tar on PATH may take the letter of a drive for a host.
        & "$env:SystemRoot\System32\tar.exe" -xzf $path -C $work reqgate.exe
        if ($LASTEXITCODE -ne 0) { throw "reqgate: cannot unpack $archive" }
        & (Join-Path $work 'reqgate.exe') --version | Out-Null
        if ($LASTEXITCODE -ne 0) { throw "reqgate: the binary of $archive does not run on this system: it was not installed" }
        New-Item -ItemType Directory -Force -Path $folder | Out-Null
        Move-Item -Force -Path (Join-Path $work 'reqgate.exe') -Destination (Join-Path $folder 'reqgate.exe')
    }
    finally {
        Remove-Item -Recurse -Force -Path $work
    }
    Write-Output "installed reqgate $version as $(Join-Path $folder 'reqgate.exe')"
    if (($env:PATH -split ';') -notcontains $folder) {
        Write-Output "add $folder to PATH to call it by its name"
    }
}
